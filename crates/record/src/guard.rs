//! The abstention guard: thresholds below which the reader abstains.

use serde::{Deserialize, Serialize};

/// `[read.guard]`: thresholds below which Fiel abstains without the reader.
/// `fiel gold calibrate-guard` chooses them on the development split of a gold set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardSettings {
    /// Minimum cosine of the nearest passage, 0 to 1.
    pub cosine: f64,
    /// Minimum share of the question's IDF in a passage, 0 to 1.
    pub share: f64,
}

/// How close the passages are to the question, in numbers that do not depend on the size of the
/// knowledge base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardScore {
    /// Cosine of the question and the nearest passage.
    pub cosine: f64,
    /// The largest share of the question's IDF in the terms of a passage.
    pub share: f64,
}

impl GuardSettings {
    /// Whether both scores are below their thresholds.
    pub fn refuses(&self, score: GuardScore) -> bool {
        self.margin(score) < 0.0
    }

    /// The larger distance of a score above its threshold; negative if both are below.
    pub fn margin(&self, score: GuardScore) -> f64 {
        (score.cosine - self.cosine).max(score.share - self.share)
    }

    /// The key and value of a threshold that is not between 0 and 1.
    pub fn invalid_threshold(&self) -> Option<(&'static str, f64)> {
        let keys = [("read.guard.cosine", self.cosine), ("read.guard.share", self.share)];
        keys.into_iter().find(|(_, x)| !(0.0..=1.0).contains(x))
    }
}
