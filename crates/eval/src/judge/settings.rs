use std::path::PathBuf;

use fiel_metrics::JudgedQuality;
use fiel_reader::{ModelPool, PipelineSettings};
use serde::{Deserialize, Serialize};

use super::Judge;
use crate::Error;

/// `[judge]` of fiel.toml: what answers are judged by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeSettings {
    /// What `grounding` and `hallucination` are measured by.
    pub method: JudgeMethod,
    /// The judge: a model id or the path of a GGUF file; the reader where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A file with what the judge is asked, or a folder with one for each language; `None`: as
    /// shipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PathBuf>,
    /// Qualities that are measured; each but toxicity asks the judge about every answer.
    pub qualities: Vec<JudgedQuality>,
    /// A file with the words that toxicity looks for, in every language; `None`: the built-in lists
    /// for English and Spanish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toxic_words: Option<PathBuf>,
}

impl JudgeSettings {
    /// The judge that they name, of answers that a pipeline with these settings gives.
    pub(super) fn judge(
        &self,
        models: &mut ModelPool,
        pipeline: &PipelineSettings,
    ) -> Result<Judge, Error> {
        Judge::load(models, pipeline, self.model.as_deref(), self.prompt.as_deref())
    }
}

/// The stronger scorer of claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeMethod {
    /// None: only the lexical measures.
    None,
    /// The fitted model without a language model.
    #[default]
    Grounded,
    /// A language model that is asked yes or no; the fitted model is shown beside it.
    Llm,
}
