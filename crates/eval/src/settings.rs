//! Settings of an evaluation.

use fiel_record::EvalMode;
use serde::{Deserialize, Serialize};

use crate::ClaimCut;

/// `[eval]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalSettings {
    /// Modes to evaluate.
    pub modes: Vec<EvalMode>,
    /// Number of best-ranked passages without evidence that are added in oracle mode.
    pub distractors: usize,
    /// Unit of a claim.
    pub claim_unit: ClaimCut,
    /// Number of answers per question. More than 1 needs a temperature, and the spread is reported.
    pub repeat: usize,
    /// Seed of every resampling.
    pub seed: u64,
}

impl Default for EvalSettings {
    fn default() -> Self {
        Self {
            modes: EvalMode::ALL.to_vec(),
            distractors: 0,
            claim_unit: ClaimCut::default(),
            repeat: 1,
            seed: 42,
        }
    }
}
