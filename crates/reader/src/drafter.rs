use std::sync::{Arc, Mutex, PoisonError};

use fiel_metrics::Lang;

use crate::{
    DraftTask, Error, Progress, draft_prompt::DraftPrompts, language_model::LanguageModel,
    sample::Sampling,
};

/// Tokens of a drafted question with its answer at the most.
const DRAFT_TOKENS: usize = 96;

/// A language model that writes drafts for a gold set.
pub struct Drafter {
    pub(crate) model: Arc<Mutex<LanguageModel>>,
    pub(crate) prompts: DraftPrompts,
}

impl Drafter {
    /// What the model writes from a passage: always the same, and from the cache when it is known.
    ///
    /// # Errors
    /// When the text is too long for the model, or it fails.
    pub fn write(
        &self,
        task: DraftTask,
        passage: &str,
        lang: Lang,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<String, Error> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let prompt = model.render(&self.prompts.turns(task, passage, lang))?;
        let said = model.answer(
            &prompt,
            DRAFT_TOKENS,
            Sampling::GREEDY,
            false,
            &mut |_| {},
            &mut || progress(Progress::LoadingReader),
        )?;
        Ok(said.text)
    }
}
