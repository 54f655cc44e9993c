//! Two runs compared on the same questions.

use fiel_metrics::Paired;
use fiel_text::id::QuestionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Abstention, Column, Difference, EvalMode};

/// Name and version of a comparison as JSON.
pub const COMPARISON_SCHEMA: &str = "fiel.comparison/1";

/// Comparison of two runs, A and B, on the same questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// [`COMPARISON_SCHEMA`].
    pub schema: String,
    /// The reference run.
    pub a: ComparedRun,
    /// The run that is compared with it.
    pub b: ComparedRun,
    /// Inputs that differ although a comparison needs them equal: `gold set`, `knowledge base`.
    pub unlike: Vec<String>,
    /// Differences between the manifests.
    pub differences: Vec<Difference>,
    /// Number of questions of both runs.
    pub questions: usize,
    /// Ids of the questions that only A has.
    pub only_a: Vec<QuestionId>,
    /// Ids of the questions that only B has.
    pub only_b: Vec<QuestionId>,
    /// Whether all records are equal: the differences have no effect.
    pub identical: bool,
    /// One row per measure.
    pub rows: Vec<ComparedMeasure>,
    /// Tags that are worse in B in a measure whose mean is better.
    pub worse_slices: Vec<WorseSlice>,
    /// Questions that are right in only one run, by mode.
    pub flips: Vec<Flip>,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedRun {
    /// Id of the run.
    pub run: String,
    /// Its note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Git commit of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    /// Counts of answers and abstentions end to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstention: Option<Abstention>,
}

/// One measure of both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedMeasure {
    /// The measure.
    pub column: Column,
    /// Means, difference, interval, p-value, wins, ties and losses.
    #[serde(flatten)]
    pub paired: Paired,
    /// p-value corrected by Holm over the rows.
    pub p_holm: f64,
}

/// A tag whose questions are worse in B.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorseSlice {
    /// The tag.
    pub tag: String,
    /// The measure.
    pub column: Column,
    /// Number of questions with the tag and a value in both runs.
    pub n: usize,
    /// Mean of B − A over these questions.
    pub difference: f64,
    /// Mean of B − A over all questions.
    pub overall: f64,
}

/// A question that is right in only one of the runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// Id of the question.
    pub id: QuestionId,
    /// Its text.
    pub question: String,
    /// The mode.
    pub mode: EvalMode,
    /// Whether it is right in B.
    pub better: bool,
    /// Result of A: answer, rank of the evidence, or error.
    pub a: String,
    /// Result of B.
    pub b: String,
}
