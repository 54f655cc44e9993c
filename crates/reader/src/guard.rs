use serde::{Deserialize, Serialize};

use fiel_metrics::Lang;

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

    /// # Errors
    /// What is wrong, with the key.
    pub(crate) fn check(&self) -> Result<(), (&'static str, f64)> {
        let keys = [
            ("read.guard.cosine", self.cosine),
            ("read.guard.share", self.share),
        ];
        match keys.into_iter().find(|(_, x)| !(0.0..=1.0).contains(x)) {
            Some(bad) => Err(bad),
            None => Ok(()),
        }
    }
}

/// What is answered in the stead of the reader.
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
    fn the_reader_is_spared_only_when_both_legs_found_nothing() {
        let guard = GuardSettings {
            cosine: 0.4,
            share: 0.5,
        };
        let refuses = |cosine, share| guard.refuses(GuardScore { cosine, share });
        assert!(refuses(0.39, 0.49));
        assert!(!refuses(0.41, 0.0) && !refuses(0.0, 0.5));
    }

    #[test]
    fn what_the_guard_says_is_an_abstention() {
        for lang in [Lang::En, Lang::Es, Lang::Other] {
            assert!(is_abstention(not_enough(lang)));
        }
    }

    #[test]
    fn thresholds_outside_of_0_and_1_are_named() {
        let guard = GuardSettings {
            cosine: 0.4,
            share: f64::NAN,
        };
        assert_eq!(
            guard.check().map_err(|(key, _)| key),
            Err("read.guard.share")
        );
    }
}
