use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use fiel_metrics::Lang;
use fiel_models::DeviceClass;

use crate::{
    Error,
    judge_prompt::{JudgePrompts, JudgeQuestion},
    language_model::LanguageModel,
};

/// A language model that answers yes or no, read from the probabilities of the two words.
#[derive(Clone)]
pub struct Judge {
    pub(crate) model: Arc<Mutex<LanguageModel>>,
    pub(crate) prompts: Arc<JudgePrompts>,
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
            "{} judge {} {}",
            model.digest(),
            self.prompts.digest(),
            self.class
        )
    }

    /// Asks one question about texts in a language; one that was asked before, in the same words,
    /// is answered from the cache.
    ///
    /// # Errors
    /// When there is no prompt for the language, the texts are too long for the model, or it fails.
    pub fn ask(&self, question: &JudgeQuestion<'_>, lang: Lang) -> Result<Judged, Error> {
        let turns = self.prompts.question(question, lang)?;
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let prompt = model.render(&turns)?;
        model.judged(&prompt)
    }
}
