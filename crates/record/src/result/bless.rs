//! `fiel bless`

use std::path::PathBuf;

use fiel_text::id::QuestionId;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Column;

/// The difference between a new baseline and the one it replaces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BaselineUpdate {
    /// The file.
    pub path: PathBuf,
    /// Run of the new baseline.
    pub run: String,
    /// Run of the old baseline; null if there was none.
    pub before: Option<String>,
    /// Number of questions in the new baseline.
    pub questions: usize,
    /// Ids of the questions that only the new baseline has.
    pub added: Vec<QuestionId>,
    /// Ids of the questions that only the old baseline has.
    pub removed: Vec<QuestionId>,
    /// Means that differ.
    pub means: Vec<MeanChange>,
    /// Ids of the questions with a value that differs.
    pub changed: Vec<QuestionId>,
}

/// A measure with its old and new mean; null where a baseline lacks the measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanChange(pub Column, pub Option<f64>, pub Option<f64>);
