//! Drafts of gold questions, written by a language model.

mod check;
mod prompt;

use fiel_gold::DraftTask;
use fiel_reader::{
    CompletionRequest, EXTRACTIVE, ModelPool, Observer, PipelineProgress, PipelineSettings,
    SharedLanguageModel,
};
use fiel_text::Lang;

pub use self::check::check_draft;
use self::prompt::DraftPrompts;
use crate::Error;

/// Maximum of tokens in a draft: a question with its answer.
const DRAFT_TOKENS: usize = 96;

/// A language model that drafts questions for a gold set.
pub struct Drafter {
    model: SharedLanguageModel,
    prompts: DraftPrompts,
}

impl Drafter {
    /// Loads the reader of a pipeline as the drafter.
    ///
    /// # Errors
    /// If the reader is extractive, or cannot be obtained.
    pub fn load(models: &mut ModelPool, settings: &PipelineSettings) -> Result<Self, Error> {
        let id = &settings.read.model;
        if id == EXTRACTIVE {
            return Err(Error::from(fiel_reader::Error::BadSetting {
                setting: "read.model",
                value: id.clone(),
                reason: "drafts need a language model; name one with --reader, or in fiel.toml",
            }));
        }
        Ok(Self {
            model: models.language_model("read.model", id, settings.device)?,
            prompts: DraftPrompts::load()?,
        })
    }

    /// Writes a draft from a passage, by greedy decoding. Drafts are cached.
    ///
    /// # Errors
    /// If the passage is too long for the model, or it fails.
    pub fn write(
        &self,
        task: DraftTask,
        passage: &str,
        lang: Lang,
        progress: &mut dyn FnMut(PipelineProgress),
    ) -> Result<String, Error> {
        let mut model = self.model.lock();
        let prompt = model.render(&self.prompts.turns(task, passage, lang))?;
        let request = CompletionRequest::greedy(&prompt, DRAFT_TOKENS);
        let completion = model.complete(&request, &mut Observer::of_progress(progress))?;
        Ok(completion.text)
    }
}
