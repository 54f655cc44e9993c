//! The guard: thresholds under which the reader is not asked.

use serde::{Deserialize, Serialize};

/// `[read.guard]`: when neither leg finds anything, the reader is not asked. Thresholds are chosen
/// on the development split of a gold set (`fiel gold calibrate-guard`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardSettings {
    /// Cosine of the nearest passage under which the dense leg has found nothing.
    pub cosine: f64,
    /// Share of the question's weight of words under which BM25 has found nothing.
    pub share: f64,
}

/// What the passages have to do with the question, in figures that do not grow with the base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardScore {
    /// Cosine of question and nearest passage.
    pub cosine: f64,
    /// The greatest share of the question's IDF that the terms of one passage hold.
    pub share: f64,
}

impl GuardSettings {
    /// Whether the reader need not be asked.
    pub fn refuses(&self, score: GuardScore) -> bool {
        self.margin(score) < 0.0
    }

    /// By how much the better leg is above its threshold; negative when neither has found
    /// anything. Larger is surer.
    pub fn margin(&self, score: GuardScore) -> f64 {
        (score.cosine - self.cosine).max(score.share - self.share)
    }
}
