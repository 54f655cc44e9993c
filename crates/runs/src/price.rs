//! Prices of tokens.

use serde::{Deserialize, Serialize};

/// `[price]` of fiel.toml: the price of a reader. Local models are free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PriceSettings {
    /// Price of a million prompt tokens.
    pub prompt_per_million: f64,
    /// Price of a million answer tokens.
    pub answer_per_million: f64,
    /// Questions per month, for the monthly cost.
    pub questions_per_month: f64,
}

impl PriceSettings {
    /// Checks that no price is negative.
    ///
    /// # Errors
    /// [`PriceError`] if a value is negative or not finite.
    pub fn check(&self) -> Result<(), PriceError> {
        let all = [
            ("price.prompt_per_million", self.prompt_per_million),
            ("price.answer_per_million", self.answer_per_million),
            ("price.questions_per_month", self.questions_per_month),
        ];
        match all.iter().find(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            Some((key, x)) => Err(PriceError(key, *x)),
            None => Ok(()),
        }
    }
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self { prompt_per_million: 0.0, answer_per_million: 0.0, questions_per_month: 10_000.0 }
    }
}

/// A price that is negative or not finite: its key and its value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is {1}: it must be 0 or more")]
pub struct PriceError(pub &'static str, pub f64);
