use fiel_metrics::Lang;
use fiel_record::GuardSettings;

/// Checks that the thresholds are shares.
///
/// # Errors
/// The first key that is not between 0 and 1, with its value.
pub(crate) fn check(guard: GuardSettings) -> Result<(), (&'static str, f64)> {
    let keys = [
        ("read.guard.cosine", guard.cosine),
        ("read.guard.share", guard.share),
    ];
    match keys.into_iter().find(|(_, x)| !(0.0..=1.0).contains(x)) {
        Some(bad) => Err(bad),
        None => Ok(()),
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
