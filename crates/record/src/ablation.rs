//! Variants of a pipeline compared on the same questions.

use fiel_metrics::{Estimate, Paired};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, Latency, WorseSlice};

/// Name and version of an ablation as JSON.
pub const ABLATION_SCHEMA: &str = "fiel.ablation/1";

/// Arms on the same questions, compared with the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ablation {
    /// [`ABLATION_SCHEMA`].
    pub schema: String,
    /// Knowledge base, by name.
    pub kb: String,
    /// Gold set, by name.
    pub gold: String,
    /// Questions asked.
    pub questions: usize,
    /// What is shown of every arm: with the arms, the family that Holm corrects over.
    pub columns: Vec<Column>,
    /// In the order they ran.
    pub arms: Vec<AblationArm>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AblationArm {
    /// As the matrix names it.
    pub name: String,
    /// Id of its run.
    pub run: String,
    /// Chunks of its index.
    pub chunks: usize,
    /// A mean with its interval for each column; `None` where the arm has no such measure.
    pub means: Vec<Option<Estimate>>,
    /// The first arm against this one, by column; empty for the first.
    pub against_first: Vec<Option<AgainstFirst>>,
    /// An earlier arm with the same values on every question: what differs has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Tags whose questions are worse than with the first arm, by the first column.
    pub worse_slices: Vec<WorseSlice>,
    /// Latency of retrieval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieval: Option<Latency>,
    /// Latency from question to answer, of answers that were made and not remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Latency>,
}

/// A paired difference with p after Holm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgainstFirst {
    /// Means, difference, interval and p.
    #[serde(flatten)]
    pub paired: Paired,
    /// p by Holm over all arms and columns.
    pub p_holm: f64,
}
