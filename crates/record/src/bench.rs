//! Scorers of faithfulness measured on labelled claims.

use fiel_metrics::ResampledAuroc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of a bench of scorers as JSON.
pub const BENCH_SCHEMA: &str = "fiel.bench/1";

/// Scorers on claims that people labelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchReport {
    /// [`BENCH_SCHEMA`].
    pub schema: String,
    /// The file.
    pub file: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// How it is written.
    pub format: String,
    /// Claims scored.
    pub claims: usize,
    /// Claims of the file.
    pub of: usize,
    /// Claims labelled as supported.
    pub supported: usize,
    /// A row a scorer; word overlap, which the others are compared with, is the first.
    pub rows: Vec<BenchRow>,
}

/// One scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchRow {
    /// Its name.
    pub scorer: String,
    /// AUROC, and its difference to that of word overlap.
    #[serde(flatten)]
    pub area: ResampledAuroc,
    /// A claim that scores so much is supported.
    pub threshold: f64,
    /// F1 of "supported" at the threshold.
    pub f1: f64,
    /// The best F1 of any threshold: chosen on these very labels.
    pub best_f1: f64,
    /// The threshold of the best F1.
    pub best_threshold: f64,
    /// Wall time for all claims.
    pub seconds: f64,
    /// Tokens that a language model read.
    pub tokens: usize,
    /// Whether each claim was scored by coefficients fitted without its fold.
    pub out_of_fold: bool,
    /// The language model of a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Pairs of the self-test that it has wrong; whoever fails it judges no run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_self_test: Vec<FailedPair>,
}

/// A pair whose answer is certain, and which a scorer has wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailedPair {
    /// `identity`, `changed number`, …
    pub what: String,
    /// The claim.
    pub claim: String,
    /// What it was held against.
    pub passage: String,
    /// Whether the passage supports it.
    pub supported: bool,
    /// What the scorer gave.
    pub score: f64,
}

impl std::fmt::Display for FailedPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wanted = if self.supported { "yes" } else { "no" };
        write!(
            f,
            "{}: \"{}\" by \"{}\": {wanted} is right, yes was given {:.2}",
            self.what, self.claim, self.passage, self.score
        )
    }
}
