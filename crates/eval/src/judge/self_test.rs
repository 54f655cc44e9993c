//! The self-test of a scorer: fixed pairs whose verdict is certain.

use fiel_record::FailedPair;
use fiel_text::Lang;

use super::Scorer;
use crate::Error;

/// Pairs of claim and passage whose verdict is certain: language, what is tried, claim, passage, and
/// whether the passage supports the claim.
#[rustfmt::skip]
const PAIRS: [(Lang, &str, &str, &str, bool); 14] = [
    (Lang::En, "identity", "The refund limit is 30 days.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", true),
    (Lang::En, "identity", "The map is not thread-safe.", "The map is not thread-safe. It is fast.", true),
    (Lang::En, "changed number", "The refund limit is 90 days.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", false),
    (Lang::En, "dropped negation", "The map is thread-safe.", "The map is not thread-safe. It is fast.", false),
    (Lang::En, "added negation", "Members do not pay an entrance fee.", "Members pay an entrance fee. Guests are welcome on Sundays.", false),
    (Lang::En, "unrelated", "Penguins live in the southern hemisphere.", "The refund limit is 30 days. Delivery is free for orders above 50 euros.", false),
    (Lang::En, "empty", "The refund limit is 30 days.", "", false),
    (Lang::Es, "identity", "El plazo de devolución es de 30 días.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", true),
    (Lang::Es, "identity", "El verbo no cambia en la forma plural.", "El verbo no cambia en la forma plural. Es irregular.", true),
    (Lang::Es, "changed number", "El plazo de devolución es de 90 días.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", false),
    (Lang::Es, "dropped negation", "El verbo cambia en la forma plural.", "El verbo no cambia en la forma plural. Es irregular.", false),
    (Lang::Es, "added negation", "Los socios no pagan la entrada.", "Los socios pagan la entrada. Los invitados son bienvenidos los domingos.", false),
    (Lang::Es, "unrelated", "Los pingüinos viven en el hemisferio sur.", "El plazo de devolución es de 30 días. El envío es gratuito a partir de 50 euros.", false),
    (Lang::Es, "empty", "El plazo de devolución es de 30 días.", "", false),
];

pub(crate) const SELF_TEST_PAIRS: usize = PAIRS.len();

/// Scores the pairs of the self-test and returns those with the wrong verdict.
///
/// # Errors
/// If the scorer fails.
pub fn self_test(scorer: &mut Scorer) -> Result<Vec<FailedPair>, Error> {
    let mut failed = Vec::new();
    for (lang, what, claim, passage, supported) in PAIRS {
        let score = scorer.score(claim, &[passage], lang)?.score;
        if (score >= scorer.kind().threshold()) != supported {
            failed.push(FailedPair {
                what: what.to_owned(),
                claim: claim.to_owned(),
                passage: passage.to_owned(),
                supported,
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
