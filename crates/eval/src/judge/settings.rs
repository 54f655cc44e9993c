//! Settings of the judge.

use std::path::PathBuf;

use fiel_metrics::JudgedQuality;
use serde::{Deserialize, Serialize};

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
