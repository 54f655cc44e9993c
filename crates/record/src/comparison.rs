//! Two runs on the same questions.

use fiel_metrics::Paired;
use fiel_text::id::QuestionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Abstention, Column, Difference, EvalMode};

/// Name and version of a comparison as JSON.
pub const COMPARISON_SCHEMA: &str = "fiel.comparison/1";

/// Two runs on the same questions, A and then B.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// [`COMPARISON_SCHEMA`].
    pub schema: String,
    /// The run compared against.
    pub a: ComparedRun,
    /// The run compared.
    pub b: ComparedRun,
    /// What the runs are not alike in though they should be: `gold set`, `knowledge base`.
    pub unlike: Vec<String>,
    /// What differs between the manifests.
    pub differences: Vec<Difference>,
    /// Questions of both runs.
    pub questions: usize,
    /// Questions of A alone.
    pub only_a: Vec<QuestionId>,
    /// Questions of B alone.
    pub only_b: Vec<QuestionId>,
    /// Whether every record is the same: what differs has no effect.
    pub identical: bool,
    /// A row a measure.
    pub rows: Vec<ComparedMeasure>,
    /// Slices that got worse in a measure whose mean got better.
    pub worse_slices: Vec<WorseSlice>,
    /// Questions that flipped, by mode.
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
    /// Commit it was made at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    /// End-to-end answers against answerability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstention: Option<Abstention>,
}

/// One measure of both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedMeasure {
    /// The measure.
    pub column: Column,
    /// Means, difference, interval, p, wins, ties and losses.
    #[serde(flatten)]
    pub paired: Paired,
    /// p by Holm over the rows.
    pub p_holm: f64,
}

/// A tag whose questions got worse though the mean of all got better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorseSlice {
    /// The tag.
    pub tag: String,
    /// The measure.
    pub column: Column,
    /// Questions with the tag and a value in both runs.
    pub n: usize,
    /// Mean of B − A over them.
    pub difference: f64,
    /// The same over all questions.
    pub overall: f64,
}

/// A question that only one of the runs got right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// Id of the question.
    pub id: QuestionId,
    /// As asked.
    pub question: String,
    /// Mode in which it flipped.
    pub mode: EvalMode,
    /// Whether B is the one that got it right.
    pub better: bool,
    /// What A found or answered.
    pub a: String,
    /// What B found or answered.
    pub b: String,
}
