//! Settings of the judge.

use std::path::PathBuf;

use fiel_metrics::JudgedQuality;
use fiel_reader::{ModelPool, PipelineSettings};
use serde::{Deserialize, Serialize};

use super::Judge;
use crate::Error;

/// `[judge]` of fiel.toml.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeSettings {
    /// Scorer of `grounding` and `hallucination`.
    pub method: JudgeMethod,
    /// The judge: a model id or the path of a GGUF file; the reader by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A prompt file, or a folder with one per language; `None` for the shipped prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PathBuf>,
    /// Qualities to measure. All but toxicity need the judge.
    pub qualities: Vec<JudgedQuality>,
    /// A file with toxic words for every language; `None` for the built-in lists for English and
    /// Spanish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toxic_words: Option<PathBuf>,
}

impl JudgeSettings {
    /// Loads the judge of the answers of a pipeline.
    pub(super) fn judge(
        &self,
        models: &mut ModelPool,
        pipeline: &PipelineSettings,
    ) -> Result<Judge, Error> {
        Judge::load(models, pipeline, self.model.as_deref(), self.prompt.as_deref())
    }
}

/// The scorer of claims besides the lexical one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeMethod {
    /// None: only the lexical measures.
    None,
    /// The logistic regression, without a language model.
    #[default]
    Grounded,
    /// A language model that answers yes/no questions; `grounded` is reported next to it.
    Llm,
}
