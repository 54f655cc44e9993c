//! The abstention guard: refuses questions for which retrieval found nothing.

use serde::{Deserialize, Serialize};

use fiel_metrics::Lang;

/// `[read.guard]`: thresholds below which a question is refused without asking the reader.
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
    pub(crate) fn invalid_threshold(&self) -> Option<(&'static str, f64)> {
        let keys = [
            ("read.guard.cosine", self.cosine),
            ("read.guard.share", self.share),
        ];
        keys.into_iter().find(|(_, x)| !(0.0..=1.0).contains(x))
    }
}

/// The answer of the guard when it refuses.
pub fn not_enough(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => "No tengo información suficiente.",
        Lang::En | Lang::Other => "I don't have enough information.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is_abstention;

    #[test]
    fn the_guard_refuses_only_if_both_scores_are_low() {
        let guard = GuardSettings {
            cosine: 0.4,
            share: 0.5,
        };
        let refuses = |cosine, share| guard.refuses(GuardScore { cosine, share });
        assert!(refuses(0.39, 0.49));
        assert!(!refuses(0.41, 0.0) && !refuses(0.0, 0.5));
    }

    #[test]
    fn the_answer_of_the_guard_is_an_abstention() {
        for lang in [Lang::En, Lang::Es, Lang::Other] {
            assert!(is_abstention(not_enough(lang)));
        }
    }

    #[test]
    fn thresholds_outside_0_and_1_are_named() {
        let guard = GuardSettings {
            cosine: 0.4,
            share: f64::NAN,
        };
        let invalid = guard.invalid_threshold().map(|(key, _)| key);
        assert_eq!(invalid, Some("read.guard.share"));
    }
}
