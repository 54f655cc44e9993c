//! Whether an answer is right.

use fiel_text::{Lang, SentenceRules, sentences};

use super::Prepared;
use crate::faith::{is_negative, segments};

/// Least F1 of a right answer that does not contain a reference.
pub const RIGHT_F1: f64 = 0.80;

/// Tokens that an answer may have for each token of the reference, and in addition to them. In a
/// longer answer the reference may stand by chance.
const LONGEST: (usize, usize) = (3, 10);

/// Words before a reference in which a negation denies it.
const BEFORE: usize = 3;

/// Whether an answer is right by a reference: see [`AnswerScores::right`](super::AnswerScores).
pub(super) fn is_right(answer: &Prepared, reference: &Prepared, f1: f64, lang: Lang) -> bool {
    if answer.contains(reference) {
        let (times, more) = LONGEST;
        answer.tokens.len() <= times * reference.tokens.len() + more
            && !denies(&answer.written, reference, lang)
    } else {
        f1 >= RIGHT_F1
            && exact_tokens(answer) == exact_tokens(reference)
            && closing_letter(answer) == closing_letter(reference)
            && is_negative(&answer.written, lang) == is_negative(&reference.written, lang)
    }
}

/// Whether a negation precedes the reference wherever the answer has it. A negation in another part
/// of the sentence is no denial: "Paris, not Lyon".
fn denies(answer: &str, reference: &Prepared, lang: Lang) -> bool {
    if is_negative(&reference.written, lang) {
        return false;
    }
    let mut is_denied = false;
    for sentence in sentences(answer, 0..answer.len(), SentenceRules::EveryStop) {
        let sentence = &answer[sentence];
        for range in segments(sentence) {
            let words: Vec<&str> = sentence[range].split_whitespace().collect();
            let has_reference = |from: &usize| {
                Prepared::new(&words[*from..].join(" "), lang).starts_with(reference)
            };
            for from in (0..words.len()).filter(has_reference) {
                // "No" before a noun denies the sentence, and not the noun.
                let is_cue = |word: &&&str| lang != Lang::En || !word.eq_ignore_ascii_case("no");
                let before = words[from.saturating_sub(BEFORE)..from].iter().filter(is_cue);
                let before: Vec<&str> = before.copied().collect();
                if !is_negative(&before.join(" "), lang) {
                    return false;
                }
                is_denied = true;
            }
        }
    }
    is_denied
}

impl Prepared {
    fn starts_with(&self, reference: &Prepared) -> bool {
        if reference.is_symbols() {
            self.written.starts_with(&reference.written)
        } else if reference.only_articles {
            self.tokens_with_articles.starts_with(&reference.tokens)
        } else {
            self.tokens.starts_with(&reference.tokens)
        }
    }
}

/// The tokens that must be equal: numbers and names with signs.
fn exact_tokens(text: &Prepared) -> Vec<&String> {
    let is_exact = |token: &&String| token.chars().any(|c| c.is_numeric() || "+#<>^".contains(c));
    let mut tokens: Vec<&String> = text.tokens.iter().filter(is_exact).collect();
    tokens.sort();
    tokens
}

/// The last token, if it is a letter: `Vitamin A`.
fn closing_letter(text: &Prepared) -> Option<&String> {
    text.tokens.last().filter(|token| token.len() == 1)
}

#[cfg(test)]
mod tests {
    use fiel_text::Lang;

    use crate::score_answer;

    fn right(answer: &str, reference: &str) -> bool {
        score_answer(answer, &[reference], &[""; 0], Lang::En, false).right
    }

    #[test]
    fn what_differs_in_one_word_that_matters_is_wrong() {
        for (reference, answer) in [
            ("Hepatitis A", "Hepatitis B"),
            ("Plan A", "Plan B"),
            ("The refund limit is 30 days", "The refund limit is 90 days"),
            ("not thread-safe", "thread-safe"),
            ("thread-safe", "not thread-safe"),
            ("Paris", "It is not Paris but Lyon"),
            ("Paris", "It isn't in Paris."),
            ("C++", "C#"),
            ("use C++ for the fast part of it", "use C# for the fast part of it"),
            ("< 5", "> 5"),
            ("10⁶", "106"),
            ("2½ hours", "21/2 hours"),
            ("the most common kind of all is type A", "the most common kind of all is type B"),
        ] {
            assert!(!right(answer, reference), "{answer}");
            assert!(right(reference, reference), "{reference}");
        }
    }

    #[test]
    fn a_negation_elsewhere_denies_nothing() {
        for (reference, answer) in [
            ("Paris", "No, it is Paris."),
            ("information desk", "No information desk is open on Sundays."),
            ("Paris", "Paris, not Lyon"),
            ("Paris", "It is not Lyon but Paris"),
            ("did not go", "It is did not go."),
            ("30 days", "not before 20 days, but within 30 days"),
        ] {
            assert!(right(answer, reference), "{answer}");
        }
    }

    #[test]
    fn a_long_answer_may_have_the_reference_by_chance() {
        let long = format!("do {}", "word ".repeat(13));
        assert!(right("do word word", "do"));
        assert!(!right(&long, "do"));
        let scores = score_answer(&long, &["do"], &[""; 0], Lang::En, false);
        assert_eq!(scores.contains, 1.0);
    }
}
