//! Settings of an evaluation, and prices.

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

/// `[price]` of fiel.toml: what a reader costs. Local models cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PriceSettings {
    /// A million tokens of prompts.
    pub prompt_per_million: f64,
    /// A million tokens of answers.
    pub answer_per_million: f64,
    /// Questions a month, for the monthly cost.
    pub questions_per_month: f64,
}

impl PriceSettings {
    /// # Errors
    /// What is wrong, with the key.
    pub fn check(&self) -> Result<(), String> {
        let all = [
            ("price.prompt_per_million", self.prompt_per_million),
            ("price.answer_per_million", self.answer_per_million),
            ("price.questions_per_month", self.questions_per_month),
        ];
        match all.iter().find(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            Some((key, x)) => Err(format!("{key} is {x}: it must be 0 or more")),
            None => Ok(()),
        }
    }
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self {
            prompt_per_million: 0.0,
            answer_per_million: 0.0,
            questions_per_month: 10_000.0,
        }
    }
}
