//! Reading: from passages to an answer.

use std::time::Instant;

use fiel_metrics::is_refusal;
use fiel_record::GuardScore;
use fiel_retrieval::Retrieved;
use fiel_text::markup::without_thoughts;

use super::Pipeline;
use crate::{
    Context, Error, LanguageModel, Observer, Outcome, ReadRequest,
    abstain::{guard_refusal, refusal},
    answer::answer,
    attribute::attribute,
    context::assemble,
    extractive,
};

impl Pipeline {
    /// Retrieves passages for the question of a request and reads the first `read.context_k`, unless
    /// the guard refuses. The chunks of the request are not used.
    ///
    /// # Errors
    /// Same as [`retrieve`](Self::retrieve) and [`read`](Self::read).
    pub fn ask(
        &self,
        request: &ReadRequest<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<(Retrieved, Outcome), Error> {
        let retrieved = self.retrieve(request.question)?;
        let request = ReadRequest { chunks: &self.top(&retrieved), ..*request };
        let outcome = self.read_guarded(&request, observer)?;
        Ok((retrieved, outcome))
    }

    /// Scores how close chunks, given by position, are to a question; see [`GuardScore`].
    ///
    /// # Errors
    /// If embedding fails.
    pub fn guard_score(&self, question: &str, chunks: &[usize]) -> Result<GuardScore, Error> {
        let all = self.retriever.chunks();
        let chunks = chunks.iter().filter_map(|&chunk| all.get(chunk));
        let texts: Vec<String> = chunks.map(|chunk| chunk.passage()).collect();
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
        let answer = guard_refusal(request.lang).to_owned();
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

    /// Answers a question from the given chunks.
    ///
    /// # Errors
    /// If the pipeline has no reader, the prompt is too long, or the model fails.
    pub fn read(
        &self,
        request: &ReadRequest<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome, Error> {
        if !self.reads {
            return Err(Error::BadSetting {
                setting: "read.model",
                value: self.settings.read.model.clone(),
                reason: "no reader was loaded",
            });
        }
        let mut outcome = Outcome { context: self.context(request.chunks), ..Outcome::default() };
        let started = Instant::now();
        let is_generated = match &self.model {
            Some(model) => self.generate(&mut model.lock(), request, &mut outcome, observer)?,
            None => false,
        };
        if !is_generated {
            // The extractive reader finds nothing without a passage.
            let (passages, lang) = (&outcome.context.passages, request.lang);
            let found = extractive::answer(&self.embedder, request.question, passages, lang)?;
            outcome.answer = found.unwrap_or_else(|| refusal(lang).to_owned());
            observer.text(&outcome.answer);
            outcome.time = started.elapsed();
        }
        let answer = without_thoughts(&outcome.answer);
        if answer.len() < outcome.answer.len() {
            outcome.answer = answer.to_owned();
        }
        outcome.abstained = is_refusal(&outcome.answer, &self.settings.abstain.phrases);
        if self.settings.read.repair {
            outcome.attributed = attribute(&outcome, request.lang);
        }
        Ok(outcome)
    }

    /// The context that [`read`](Self::read) reads: passages of the chunks, given by position, best
    /// first.
    fn context(&self, chunks: &[usize]) -> Context {
        let all = self.retriever.chunks();
        let chunks = chunks.iter().filter_map(|&chunk| all.get(chunk));
        let model = self.model.as_ref().map(|model| model.lock());
        let count = |text: &str| match &model {
            Some(model) => model.count(text),
            None => self.embedder.piece_count(text),
        };
        assemble(chunks, self.settings.read.context_tokens, &count)
    }

    /// Answers with the language model, which is not asked without a passage that fits. Returns
    /// whether it was asked.
    fn generate(
        &self,
        model: &mut LanguageModel,
        request: &ReadRequest<'_>,
        outcome: &mut Outcome,
        observer: &mut Observer<'_>,
    ) -> Result<bool, Error> {
        let prompt = self.fit_prompt(model, request, &mut outcome.context)?;
        let passages = &outcome.context.passages;
        if passages.is_empty() {
            return Ok(false);
        }
        let read = &self.settings.read;
        let (completion, echoed) = answer(read, model, request, &prompt, passages, observer)?;
        outcome.prompt = prompt;
        outcome.answer = completion.text;
        outcome.prompt_tokens = completion.prompt_tokens;
        outcome.answer_tokens = completion.answer_tokens;
        outcome.time = completion.time;
        outcome.cached = completion.cached;
        outcome.echoed = echoed;
        Ok(true)
    }

    /// The prompt for a context, whose last passages are dropped until it fits the model.
    fn fit_prompt(
        &self,
        model: &LanguageModel,
        request: &ReadRequest<'_>,
        context: &mut Context,
    ) -> Result<String, Error> {
        let read = &self.settings.read;
        let prompts = self.prompts.get(request.lang)?;
        loop {
            let turns = prompts.answer(request.question, &context.passages, read.order);
            let prompt = model.render(&turns)?;
            let fits = model.count(&prompt) + read.max_answer_tokens <= model.capacity();
            if fits || !context.drop_last() {
                return Ok(prompt);
            }
        }
    }
}
