use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use fiel_models::DeviceClass;

use crate::{
    Error,
    judge_prompt::{JUDGE_PROMPT_VERSION, JudgeQuestion, judge_prompt},
    language_model::LanguageModel,
};

/// A language model that answers yes or no, read from the probabilities of the two words.
#[derive(Clone)]
pub struct Judge {
    pub(crate) model: Arc<Mutex<LanguageModel>>,
    pub(crate) id: String,
    pub(crate) is_reader: bool,
    pub(crate) class: DeviceClass,
}

/// What a judge says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Probability of yes against no, in \[0, 1\].
    pub yes: f64,
    /// Tokens of the prompt.
    pub tokens: usize,
    /// Time it took; nothing when it was known.
    pub time: Duration,
}

impl Judge {
    /// Id of the model, or path of its file.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it judges its own answers.
    pub fn is_reader(&self) -> bool {
        self.is_reader
    }

    /// Names model, prompts and device: equal keys, equal judgements.
    pub fn key(&self) -> String {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "{} judge {JUDGE_PROMPT_VERSION} {}",
            model.digest(),
            self.class
        )
    }

    /// Asks one question; one that was asked before is answered from the cache.
    ///
    /// # Errors
    /// When the texts are too long for the model, or it fails.
    pub fn ask(&self, question: &JudgeQuestion<'_>) -> Result<Judged, Error> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let prompt = model.render(&judge_prompt(question))?;
        model.judged(&prompt)
    }
}
