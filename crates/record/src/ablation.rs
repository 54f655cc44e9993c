//! Variants of a pipeline compared on the same questions.

use fiel_metrics::{Estimate, Paired};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, Latency, WorseSlice};

/// Name and version of an ablation as JSON.
pub const ABLATION_SCHEMA: &str = "fiel.ablation/1";

/// Variants on the same questions, compared with the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ablation {
    /// [`ABLATION_SCHEMA`].
    pub schema: String,
    /// Name of the knowledge base.
    pub kb: String,
    /// Name of the gold set.
    pub gold: String,
    /// Number of questions.
    pub questions: usize,
    /// Measures of the table. Holm corrects over all variants and measures.
    pub columns: Vec<Column>,
    /// The variants in the order of their runs.
    pub arms: Vec<AblationArm>,
}

/// A variant of the pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AblationArm {
    /// Its name in the matrix.
    pub name: String,
    /// Id of its run.
    pub run: String,
    /// Number of chunks in its index.
    pub chunks: usize,
    /// Mean and interval by column; `None` if the variant does not have the measure.
    pub means: Vec<Option<Estimate>>,
    /// Difference to the first variant by column; empty for the first.
    pub against_first: Vec<Option<AgainstFirst>>,
    /// An earlier variant with the same values for every question: the difference has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Tags whose questions are worse than with the first variant, by the first column.
    pub worse_slices: Vec<WorseSlice>,
    /// Latency of retrieval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieval: Option<Latency>,
    /// Latency from question to answer of uncached answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Latency>,
}

/// A paired difference with its corrected p-value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgainstFirst {
    /// Means, difference, interval and p-value.
    #[serde(flatten)]
    pub paired: Paired,
    /// p-value corrected by Holm over all variants and columns.
    pub p_holm: f64,
}
