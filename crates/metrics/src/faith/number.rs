//! The numbers of a sentence, in digits and in words.

use std::collections::BTreeSet;

use fiel_text::{is_numeric, number_word};

use crate::Lang;

/// Numbers of a claim or a sentence as text of digits, `30` or `3.5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    digits: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Numbers {
    /// From the tokens of a text, stop words among them.
    ///
    /// A token with a digit in it counts by its number where it begins with one
    /// (`30km`, `3rd`, `v1.2`) and whole otherwise (`b12`). Of number words 2 to
    /// 99 are read; "one" is a pronoun as often as a number.
    pub(super) fn of(tokens: &[String], lang: Lang) -> Numbers {
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

    /// Whether a sentence bears this claim's numbers out, `context` being the
    /// numbers of all sentences.
    ///
    /// A number that the sentence lacks is changed when the sentence has one
    /// that the claim lacks. When it has none, the number is added: in digits it
    /// must then stand elsewhere in the context, in words it may be the writer's
    /// ("the two forms"). A number that only the sentence has is left out, which
    /// changes nothing.
    pub(super) fn agree_with(&self, sentence: &Numbers, context: &Numbers) -> bool {
        let replaced = sentence.all().any(|n| !self.holds(n));
        self.all()
            .filter(|n| !sentence.holds(n))
            .all(|n| !replaced && (context.holds(n) || self.words.contains(n)))
    }

    /// Share of these numbers that `context` holds; 1 where there is none.
    pub(super) fn share_in(&self, context: &Numbers) -> f64 {
        let own: BTreeSet<&String> = self.all().collect();
        let found = own.iter().filter(|n| context.holds(n)).count();
        match own.len() {
            0 => 1.0,
            all => found as f64 / all as f64,
        }
    }

    /// Adds the numbers of another sentence.
    pub(super) fn extend(&mut self, other: &Numbers) {
        self.digits.extend(other.digits.iter().cloned());
        self.words.extend(other.words.iter().cloned());
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.digits.iter().chain(&self.words)
    }

    fn holds(&self, number: &str) -> bool {
        self.digits.contains(number) || self.words.contains(number)
    }
}

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
    use crate::tokens;

    fn numbers(text: &str, lang: Lang) -> Numbers {
        Numbers::of(&tokens(text, lang), lang)
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
    fn an_added_number_must_stand_elsewhere_and_a_dropped_one_may_go() {
        assert!(!agree("open since 1999", "open", ""));
        assert!(agree("open since 1999", "open", "in 1999"));
        assert!(agree("the two forms", "the forms", ""));
        assert!(agree("the forms", "the 3 forms", ""));
        assert!(agree("the 3 forms", "the 3 forms of 2 verbs", ""));
    }

    #[test]
    fn words_in_both_languages() {
        let words = |text, lang| numbers(text, lang).words.into_iter().collect::<Vec<_>>();
        assert_eq!(
            words("twenty one, two or ninety", Lang::En),
            ["2", "21", "90"]
        );
        assert_eq!(words("treinta y cinco, dos, uno", Lang::Es), ["2", "35"]);
        assert_eq!(words("cuarenta o cinco", Lang::Es), ["40", "5"]);
    }
}
