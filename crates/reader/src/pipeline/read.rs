//! Reading: from passages to an answer.

use std::time::Instant;

use fiel_retrieval::Retrieved;

use super::Pipeline;
use crate::{
    Context, Error, LanguageModel, Observer, Outcome, ReadRequest, answer::answer, assemble,
    attribute::attribute, dont_know, extractive, is_abstention,
};

impl Pipeline {
    /// Retrieves passages for the question of a request and reads the best of them, unless the
    /// guard refuses. The chunks of the request are not used.
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
        match &self.model {
            Some(model) => {
                self.read_with_model(&mut model.lock(), request, &mut outcome, observer)?;
            }
            None => self.read_extractively(request, &mut outcome, observer)?,
        }
        outcome.abstained = is_abstention(&outcome.answer);
        if self.settings.read.repair {
            outcome.attributed = attribute(&outcome, request.lang);
        }
        Ok(outcome)
    }

    /// The context that [`read`](Self::read) reads: passages of the chunks, given by position, best
    /// first.
    pub fn context(&self, chunks: &[usize]) -> Context {
        let all = self.retriever.chunks();
        let chunks = chunks.iter().filter_map(|&chunk| all.get(chunk));
        let model = self.model.as_ref().map(|model| model.lock());
        let count = |text: &str| match &model {
            Some(model) => model.count(text),
            None => self.embedder().piece_count(text),
        };
        assemble(chunks, self.settings.read.context_tokens, &count)
    }

    fn read_with_model(
        &self,
        model: &mut LanguageModel,
        request: &ReadRequest<'_>,
        outcome: &mut Outcome,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        let started = Instant::now();
        let prompt = self.fit_prompt(model, request, &mut outcome.context)?;
        let passages = &outcome.context.passages;
        // The model is not asked without a passage.
        if passages.is_empty() {
            outcome.answer = dont_know(request.lang).to_owned();
            observer.text(&outcome.answer);
            outcome.time = started.elapsed();
            return Ok(());
        }
        let read = &self.settings.read;
        let answer = answer(read, model, request, &prompt, passages, observer)?;
        outcome.prompt = prompt;
        outcome.answer = answer.completion.text;
        outcome.prompt_tokens = answer.completion.prompt_tokens;
        outcome.answer_tokens = answer.completion.answer_tokens;
        outcome.time = answer.completion.time;
        outcome.cached = answer.completion.cached;
        outcome.echoed = answer.echoed;
        Ok(())
    }

    fn read_extractively(
        &self,
        request: &ReadRequest<'_>,
        outcome: &mut Outcome,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        let started = Instant::now();
        let passages = &outcome.context.passages;
        let found = extractive::answer(self.embedder(), request.question, passages, request.lang)?;
        outcome.answer = found.unwrap_or_else(|| dont_know(request.lang).to_owned());
        observer.text(&outcome.answer);
        outcome.time = started.elapsed();
        Ok(())
    }

    /// The prompt for a context, whose last passages are dropped until it fits the model.
    fn fit_prompt(
        &self,
        model: &LanguageModel,
        request: &ReadRequest<'_>,
        context: &mut Context,
    ) -> Result<String, Error> {
        let read = &self.settings.read;
        loop {
            let passages = &context.passages;
            let (question, lang) = (request.question, request.lang);
            let turns = self.prompts.answer(question, passages, read.order, lang)?;
            let prompt = model.render(&turns)?;
            let fits = model.count(&prompt) + read.max_answer_tokens <= model.capacity();
            if fits || !context.drop_last() {
                return Ok(prompt);
            }
        }
    }
}
