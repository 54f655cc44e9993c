//! Scorers of faithfulness measured on labelled claims.

use fiel_metrics::ResampledAuroc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of a benchmark of scorers as JSON.
pub const BENCH_SCHEMA: &str = "fiel.bench/1";

/// Scorers measured on claims that people labelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchReport {
    /// [`BENCH_SCHEMA`].
    pub schema: String,
    /// The file with the labels.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Format of the file.
    pub format: String,
    /// Number of scored claims.
    pub claims: usize,
    /// Number of claims in the file.
    pub of: usize,
    /// Number of scored claims that are labelled as supported.
    pub supported: usize,
    /// One row per scorer. Word overlap, the baseline of the others, is first.
    pub rows: Vec<BenchRow>,
}

/// One scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchRow {
    /// Its name.
    pub scorer: String,
    /// AUROC and its difference to the AUROC of word overlap.
    #[serde(flatten)]
    pub area: ResampledAuroc,
    /// Minimum score of a supported claim.
    pub threshold: f64,
    /// F1 of "supported" at the threshold.
    pub f1: f64,
    /// The best F1 of any threshold; optimistic, because these labels choose the threshold.
    pub best_f1: f64,
    /// The threshold of the best F1.
    pub best_threshold: f64,
    /// Wall time for all claims in seconds.
    pub seconds: f64,
    /// Tokens read by a language model.
    pub tokens: usize,
    /// Whether the coefficients that score a claim are fitted without its fold.
    pub out_of_fold: bool,
    /// The language model of the judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Self-test pairs with the wrong result. A scorer with any of them cannot judge a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_self_test: Vec<FailedPair>,
}

/// A self-test pair that a scorer gets wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailedPair {
    /// `identity`, `changed number`, …
    pub what: String,
    /// The claim.
    pub claim: String,
    /// The passage it was compared with.
    pub passage: String,
    /// Whether the passage supports it.
    pub supported: bool,
    /// Score of the scorer.
    pub score: f64,
}

impl std::fmt::Display for FailedPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let expected = if self.supported { "supported" } else { "not supported" };
        write!(
            f,
            "{}: claim \"{}\", passage \"{}\": expected {expected}, got score {:.2}",
            self.what, self.claim, self.passage, self.score
        )
    }
}
