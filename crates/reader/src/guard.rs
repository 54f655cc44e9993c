//! The abstention guard: the answer when it refuses.

use fiel_text::Lang;

/// The answer of the guard when it refuses.
pub fn not_enough(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => "No tengo información suficiente.",
        Lang::En | Lang::Other => "I don't have enough information.",
    }
}

#[cfg(test)]
mod tests {
    use fiel_record::{GuardScore, GuardSettings};

    use super::*;
    use crate::is_abstention;

    #[test]
    fn the_guard_refuses_only_if_both_scores_are_low() {
        let guard = GuardSettings { cosine: 0.4, share: 0.5 };
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
        let guard = GuardSettings { cosine: 0.4, share: f64::NAN };
        let invalid = guard.invalid_threshold().map(|(key, _)| key);
        assert_eq!(invalid, Some("read.guard.share"));
    }
}
