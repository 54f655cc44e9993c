//! The abstention guard of a pipeline.

use std::time::Instant;

use super::Pipeline;
use crate::{Error, Observer, Outcome, ReadRequest, not_enough};
use fiel_record::GuardScore;

impl Pipeline {
    /// Scores how close chunks, given by position, are to a question; see [`GuardScore`].
    ///
    /// # Errors
    /// If embedding fails.
    pub fn guard_score(&self, question: &str, chunks: &[usize]) -> Result<GuardScore, Error> {
        let all = self.retriever.chunks();
        let texts: Vec<String> = chunks
            .iter()
            .filter_map(|&chunk| all.get(chunk))
            .map(|chunk| chunk.passage())
            .collect();
        let mut score = GuardScore::default();
        if texts.is_empty() || question.trim().is_empty() {
            return Ok(score);
        }
        let index = &self.built.index;
        for (text, cosine) in texts.iter().zip(self.cosines(question, &texts)?) {
            score.cosine = score.cosine.max(cosine);
            score.share = score.share.max(index.idf_share(question, text));
        }
        Ok(score)
    }

    /// Reads as [`read`](Self::read) does, unless the guard of `read.guard` refuses: then its answer
    /// is returned and the reader is not asked.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    pub fn read_guarded(
        &self,
        request: &ReadRequest<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome, Error> {
        let Some(guard) = self.settings.read.guard else {
            return self.read(request, observer);
        };
        let started = Instant::now();
        let score = self.guard_score(request.question, request.chunks)?;
        if !guard.refuses(score) {
            return Ok(Outcome { guard: Some(score), ..self.read(request, observer)? });
        }
        let answer = not_enough(request.lang).to_owned();
        observer.text(&answer);
        Ok(Outcome {
            context: self.context(request.chunks),
            answer,
            abstained: true,
            guard: Some(score),
            guarded: true,
            time: started.elapsed(),
            ..Outcome::default()
        })
    }
}
