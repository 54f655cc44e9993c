//! The numbers of a sentence, in digits and in words.

use std::collections::BTreeSet;

use fiel_text::{Lang, is_numeric, number_word};

/// Numbers of a claim or a sentence, written in digits: `30`, `3.5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    digits: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Numbers {
    /// The numbers among the tokens of a text, which include stop words.
    ///
    /// A token that starts with a number counts as that number (`30km`, `3rd`, `v1.2`); any other
    /// token with a digit counts whole (`b12`). Number words are read as in [`number_word`].
    pub(super) fn new(tokens: &[String], lang: Lang) -> Numbers {
        let mut numbers = Numbers::default();
        let mut at = 0;
        while at < tokens.len() {
            if is_numeric(&tokens[at]) {
                numbers.digits.insert(value(&tokens[at]).to_owned());
                at += 1;
                continue;
            }
            let word = number_word(&tokens[at..], lang);
            if let Some((value, _)) = word {
                numbers.words.insert(value.to_string());
            }
            at += word.map_or(1, |(_, length)| length);
        }
        numbers
    }

    /// Whether a sentence agrees with the numbers of this claim; `context` has the numbers of all
    /// sentences.
    ///
    /// A number that the sentence lacks has been changed if the sentence has one that the claim
    /// lacks. Otherwise it has been added: then the context must contain it, unless it is written
    /// in words, which may be the writer's own count ("the two forms"). A number that only the
    /// sentence has is an omission and does not matter.
    pub(super) fn agree_with(&self, sentence: &Numbers, context: &Numbers) -> bool {
        let replaced = sentence.all().any(|n| !self.contains(n));
        self.all()
            .filter(|n| !sentence.contains(n))
            .all(|n| !replaced && (context.contains(n) || self.words.contains(n)))
    }

    /// Share of these numbers that `context` contains; 1 if there are none.
    pub(super) fn share_in(&self, context: &Numbers) -> f64 {
        let own: BTreeSet<&String> = self.all().collect();
        let found = own.iter().filter(|n| context.contains(n)).count();
        if own.is_empty() { 1.0 } else { found as f64 / own.len() as f64 }
    }

    pub(super) fn extend(&mut self, other: &Numbers) {
        self.digits.extend(other.digits.iter().cloned());
        self.words.extend(other.words.iter().cloned());
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.digits.iter().chain(&self.words)
    }

    fn contains(&self, number: &str) -> bool {
        self.digits.contains(number) || self.words.contains(number)
    }
}

/// The number at the start of a token, or the whole token if it does not start with one.
fn value(token: &str) -> &str {
    let body = token.strip_prefix('v').unwrap_or(token);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return token;
    }
    let end = body
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '-')))
        .unwrap_or(body.len());
    &body[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer_tokens;

    fn numbers(text: &str, lang: Lang) -> Numbers {
        Numbers::new(&answer_tokens(text, lang), lang)
    }

    fn agree(claim: &str, sentence: &str, elsewhere: &str) -> bool {
        let sentence = numbers(sentence, Lang::En);
        let mut context = numbers(elsewhere, Lang::En);
        context.extend(&sentence);
        numbers(claim, Lang::En).agree_with(&sentence, &context)
    }

    #[test]
    fn a_changed_number_disagrees() {
        for (claim, sentence) in [
            ("30 days", "90 days"),
            ("30 days", "ninety days"),
            ("thirty days", "90 days"),
            ("version 1.2.3", "version 1.2.4"),
            ("vitamin B12", "vitamin B6"),
            ("the two forms", "the three forms"),
        ] {
            assert!(!agree(claim, sentence, ""), "{claim} / {sentence}");
            assert!(!agree(claim, sentence, claim), "{claim} / {sentence}");
        }
        assert!(agree("1,000 units", "1000 units", ""));
        assert!(agree("the 3rd of 30km", "3 and 30 km", ""));
        assert!(agree("thirty-five days", "35 days", ""));
    }

    #[test]
    fn an_added_number_must_be_in_the_context_and_an_omission_is_allowed() {
        assert!(!agree("open since 1999", "open", ""));
        assert!(agree("open since 1999", "open", "in 1999"));
        assert!(agree("the two forms", "the forms", ""));
        assert!(agree("the forms", "the 3 forms", ""));
        assert!(agree("the 3 forms", "the 3 forms of 2 verbs", ""));
    }

    #[test]
    fn words_in_both_languages() {
        let words = |text, lang| numbers(text, lang).words.into_iter().collect::<Vec<_>>();
        assert_eq!(words("twenty one, two or ninety", Lang::En), ["2", "21", "90"]);
        assert_eq!(words("treinta y cinco, dos, uno", Lang::Es), ["2", "35"]);
        assert_eq!(words("cuarenta o cinco", Lang::Es), ["40", "5"]);
    }
}
