//! `fiel gold calibrate-guard`

use schemars::JsonSchema;
use serde::Serialize;

/// Thresholds of the abstention guard, with their effect on the dev split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GuardResult {
    /// Cosine below which the dense leg has found nothing.
    pub cosine: f64,
    /// Share of the question's term weight below which BM25 has found nothing.
    pub share: f64,
    /// Answerable questions that are answered.
    pub answered: usize,
    /// Answerable questions with an abstention.
    pub over_refusals: usize,
    /// Unanswerable questions that are answered.
    pub false_answers: usize,
    /// Unanswerable questions with an abstention.
    pub correct_refusals: usize,
    /// F1 of abstention.
    pub f1: Option<f64>,
}
