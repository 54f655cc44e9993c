//! Settings of an evaluation.

use fiel_record::EvalMode;
use serde::{Deserialize, Serialize};

use crate::ClaimCut;

/// `[eval]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalSettings {
    /// Modes, in the order they run.
    pub modes: Vec<EvalMode>,
    /// Best other passages beside the evidence in oracle mode.
    pub distractors: usize,
    /// Unit of a claim.
    pub claim_unit: ClaimCut,
    /// Times that each question is read; above 1 a temperature is needed, and the spread is reported.
    pub repeat: usize,
    /// Seed of every resampling.
    pub seed: u64,
}

impl Default for EvalSettings {
    fn default() -> Self {
        Self {
            modes: vec![EvalMode::Retrieval, EvalMode::Oracle, EvalMode::E2e],
            distractors: 0,
            claim_unit: ClaimCut::default(),
            repeat: 1,
            seed: 42,
        }
    }
}
