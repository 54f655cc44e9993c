//! The self-test of a scorer: fixed pairs whose verdict is certain.

use fiel_record::FailedPair;
use fiel_text::Lang;

use super::Scorer;
use crate::Error;

/// A claim and a passage whose verdict is certain.
struct Pair {
    lang: Lang,
    what: &'static str,
    claim: &'static str,
    passage: &'static str,
    supported: bool,
}

const fn pair(
    lang: Lang,
    what: &'static str,
    claim: &'static str,
    passage: &'static str,
    supported: bool,
) -> Pair {
    Pair { lang, what, claim, passage, supported }
}

/// Identity, changed number, dropped or added negation, unrelated, empty; in both languages.
#[rustfmt::skip]
const PAIRS: [Pair; 14] = [
    pair(Lang::En, "identity", "The refund limit is 30 days.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", true),
    pair(Lang::En, "identity", "The map is not thread-safe.", "The map is not thread-safe. It is fast.", true),
    pair(Lang::En, "changed number", "The refund limit is 90 days.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", false),
    pair(Lang::En, "dropped negation", "The map is thread-safe.", "The map is not thread-safe. It is fast.", false),
    pair(Lang::En, "added negation", "Members do not pay an entrance fee.", "Members pay an entrance fee. Guests are welcome on Sundays.", false),
    pair(Lang::En, "unrelated", "Penguins live in the southern hemisphere.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", false),
    pair(Lang::En, "empty", "The refund limit is 30 days.", "", false),
    pair(Lang::Es, "identity", "El plazo de devolución es de 30 días.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", true),
    pair(Lang::Es, "identity", "El verbo no cambia en la forma plural.", "El verbo no cambia en la forma plural. Es irregular.", true),
    pair(Lang::Es, "changed number", "El plazo de devolución es de 90 días.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", false),
    pair(Lang::Es, "dropped negation", "El verbo cambia en la forma plural.", "El verbo no cambia en la forma plural. Es irregular.", false),
    pair(Lang::Es, "added negation", "Los socios no pagan la entrada.", "Los socios pagan la entrada. Los invitados son bienvenidos los domingos.", false),
    pair(Lang::Es, "unrelated", "Los pingüinos viven en el hemisferio sur.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", false),
    pair(Lang::Es, "empty", "El plazo de devolución es de 30 días.", "", false),
];

/// Number of pairs.
pub(crate) const SELF_TEST_PAIRS: usize = PAIRS.len();

/// Scores the pairs of the self-test and returns those with the wrong verdict.
///
/// # Errors
/// If the scorer fails.
pub fn self_test(scorer: &mut Scorer) -> Result<Vec<FailedPair>, Error> {
    let mut failed = Vec::new();
    for pair in &PAIRS {
        let score = scorer.score(pair.claim, &[pair.passage], pair.lang)?.score;
        if (score >= scorer.kind().threshold()) != pair.supported {
            failed.push(FailedPair {
                what: pair.what.to_owned(),
                claim: pair.claim.to_owned(),
                passage: pair.passage.to_owned(),
                supported: pair.supported,
                score,
            });
        }
    }
    Ok(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_pass_and_mere_overlap_does_not() {
        assert_eq!(self_test(&mut Scorer::Lexical).expect("scored"), []);
        let failed = self_test(&mut Scorer::Overlap).expect("scored");
        let what: Vec<&str> = failed.iter().map(|pair| pair.what.as_str()).collect();
        assert_eq!(
            what,
            [
                "changed number",
                "dropped negation",
                "added negation",
                "changed number",
                "dropped negation",
                "added negation"
            ]
        );
    }
}
