//! Measures of an answer and its references.

use std::collections::{BTreeMap, BTreeSet};

use fiel_text::{Lang, NormalizedWords, fold_white_space, split_spaceless};

use crate::citation::strip_citations;

mod right;

pub use right::RIGHT_F1;
use right::is_right;

/// The answer without its citation markers, normalized: see [`fiel_text::normalize`].
pub fn normalize_answer(text: &str, lang: Lang) -> String {
    fiel_text::normalize(&strip_citations(text), lang)
}

/// The tokens of the answer without its citation markers: what F1, `contains` and lexical support
/// count. See [`fiel_text::tokens`].
pub fn answer_tokens(text: &str, lang: Lang) -> Vec<String> {
    fiel_text::tokens(&strip_citations(text), lang)
}

/// The distinct tokens of a text without stop words.
pub(crate) fn content_words(text: &str, lang: Lang) -> BTreeSet<String> {
    answer_tokens(text, lang).into_iter().filter(|token| !lang.is_stop_word(token)).collect()
}

/// All measures of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerScores {
    /// 1 if the normalized answer equals a normalized reference, else 0.
    pub em: f64,
    /// As [`contains`].
    pub contains: f64,
    /// Harmonic mean of precision and recall over bags of tokens: 2 · common tokens / (tokens of
    /// the answer + tokens of the reference), for the best reference.
    pub f1: f64,
    /// 1 if the answer [`contains`] every required string, else 0; `None` if no string is required.
    pub answer_contains: Option<f64>,
    /// Whether the answer is not an abstention, contains every required string, and has a `contains`
    /// of 1 or an `f1` of at least [`RIGHT_F1`]. An answer that denies the reference, is much longer,
    /// or differs from it in a number, a sign, a negation or a closing letter is not right.
    pub right: bool,
}

/// Scores an answer. Each measure takes the best of the references. An abstention scores 0 in every
/// measure, and so does an answer without references.
///
/// EM and F1 are those of the SQuAD v1.1 script (Rajpurkar et al., "SQuAD: 100,000+ Questions for
/// Machine Comprehension of Text", 2016) over [normalized](normalize_answer) text. `contains` looks
/// for the tokens ([`answer_tokens`]) of the reference as one contiguous run, so word borders count
/// in every script. A reference of which nothing is left, such as `&&`, is compared as it is written.
pub fn score_answer(
    answer: &str,
    references: &[impl AsRef<str>],
    required: &[impl AsRef<str>],
    lang: Lang,
    abstained: bool,
) -> AnswerScores {
    if abstained {
        let answer_contains = (!required.is_empty()).then_some(0.0);
        return AnswerScores { answer_contains, ..AnswerScores::default() };
    }
    let answer = Prepared::answer(answer, lang);
    let has_required = (!required.is_empty())
        .then(|| required.iter().all(|text| answer.contains(&Prepared::new(text.as_ref(), lang))));
    let answer_contains = has_required.map(f64::from);
    let mut scores = AnswerScores { answer_contains, ..AnswerScores::default() };
    for reference in references {
        let reference = Prepared::new(reference.as_ref(), lang);
        let f1 = answer.f1(&reference);
        scores.em = scores.em.max(f64::from(answer.equals(&reference)));
        scores.contains = scores.contains.max(f64::from(answer.contains(&reference)));
        scores.f1 = scores.f1.max(f1);
        scores.right |= has_required.unwrap_or(true) && is_right(&answer, &reference, f1, lang);
    }
    scores
}

/// 1 if a normalized reference occurs in the normalized answer at word borders, else 0.
///
/// A reference of articles alone is compared with the answer including its articles. A reference of
/// which normalization leaves nothing is compared as it is written.
pub fn contains(answer: &str, references: &[impl AsRef<str>], lang: Lang) -> f64 {
    score_answer(answer, references, &[""; 0], lang, false).contains
}

/// A text normalized once.
struct Prepared {
    /// The text as written, with white space folded, in lower case.
    written: String,
    /// The words without articles, which EM compares.
    words: Vec<String>,
    tokens: Vec<String>,
    /// The tokens including articles, for references of articles alone.
    tokens_with_articles: Vec<String>,
    only_articles: bool,
}

impl Prepared {
    /// An answer: without its citation markers, unless nothing else is left (`[0, 1]`).
    fn answer(text: &str, lang: Lang) -> Prepared {
        let stripped = strip_citations(text);
        Self::new(if stripped.trim().is_empty() { text } else { &stripped }, lang)
    }

    /// A reference, of which everything counts.
    fn new(text: &str, lang: Lang) -> Prepared {
        let NormalizedWords { words, all } = NormalizedWords::new(text, lang);
        Prepared {
            written: fold_white_space(&text.to_lowercase()),
            tokens: split_spaceless(&words),
            only_articles: words.iter().all(|word| lang.articles().contains(&word.as_str())),
            words,
            tokens_with_articles: split_spaceless(&all),
        }
    }

    /// Whether normalization leaves nothing, such as of `&&` and `%`.
    fn is_symbols(&self) -> bool {
        self.words.is_empty()
    }

    fn equals(&self, reference: &Prepared) -> bool {
        if reference.is_symbols() {
            self.written == reference.written
        } else {
            self.words == reference.words
        }
    }

    fn contains(&self, reference: &Prepared) -> bool {
        if reference.is_symbols() {
            return self.equals(reference)
                || !reference.written.is_empty() && self.written.contains(&reference.written);
        }
        let text = if reference.only_articles { &self.tokens_with_articles } else { &self.tokens };
        text.windows(reference.tokens.len()).any(|window| window == reference.tokens)
    }

    fn f1(&self, reference: &Prepared) -> f64 {
        if reference.is_symbols() {
            // The reference is a token like the words of the answer.
            let is_met = self.contains(reference);
            return match (self.equals(reference), is_met) {
                (true, _) => 1.0,
                (false, true) => 2.0 / (self.tokens.len() + 2) as f64,
                (false, false) => 0.0,
            };
        }
        let total = self.tokens.len() + reference.tokens.len();
        let mut bag: BTreeMap<&str, usize> = BTreeMap::new();
        for token in &reference.tokens {
            *bag.entry(token).or_default() += 1;
        }
        let mut common = 0;
        for token in &self.tokens {
            if let Some(left) = bag.get_mut(token.as_str())
                && *left > 0
            {
                *left -= 1;
                common += 1;
            }
        }
        2.0 * f64::from(common) / total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(answer: &str, reference: &str) -> (f64, f64, f64) {
        let s = score_answer(answer, &[reference], &[""; 0], Lang::En, false);
        (s.em, s.contains, s.f1)
    }

    #[test]
    fn worked_values() {
        let (em, _, f1) =
            scores("eaten is the past participle of eat", "the past participle of eat is eaten");
        assert_eq!((em, f1), (0.0, 1.0));

        let (em, contains, f1) = scores("The capital is Paris, on the Seine.", "Paris");
        assert_eq!((em, contains), (0.0, 1.0));
        assert!((f1 - 0.3333).abs() < 5e-5);

        assert_eq!(scores("1300 units", "30").1, 0.0);
        let chinese = score_answer("今天天气很好", &["天气很好"], &["天气"], Lang::Other, false);
        assert_eq!(chinese.f1, 0.8);
        assert_eq!(chinese.answer_contains, Some(1.0));
    }

    #[test]
    fn numbers_by_language() {
        let em =
            |answer, reference, lang| score_answer(answer, &[reference], &[""; 0], lang, false).em;
        assert_eq!(em("1,000", "1000", Lang::En), 1.0);
        assert_eq!(em("3.5", "35", Lang::En), 0.0);
        assert_eq!(em("2.500.000", "2500000", Lang::Es), 1.0);
        assert_eq!(em("3,5", "3.5", Lang::Es), 1.0);
    }

    #[test]
    fn citations_are_not_part_of_the_answer() {
        assert_eq!(scores("eaten [verb-eat#2].", "eaten"), (1.0, 1.0, 1.0));
        assert_eq!(scores("Eaten. [1][2]", "eaten"), (1.0, 1.0, 1.0));
    }

    #[test]
    fn the_best_reference_counts() {
        let f1 = |references: &[&str]| {
            score_answer("had eaten", references, &[""; 0], Lang::En, false).f1
        };
        assert_eq!(f1(&["ate", "had eaten"]), 1.0);
        assert_eq!(f1(&[]), 0.0);
    }

    #[test]
    fn right_needs_every_required_string() {
        let right = |answer: &str, abstained| {
            let (reference, required) = ("bought and brought", ["bought", "brought"]);
            score_answer(answer, &[reference], &required, Lang::En, abstained).right
        };
        assert!(right("Bought and brought.", false));
        assert!(!right("Bought and brought.", true));
        assert!(!right("bought and bought", false)); // F1 0.67
        assert!(right("brought and bought", false)); // F1 1
        assert!(!right("either bought or brought, one of the two", false));
        assert_eq!(score_answer("x", &["x"], &[""; 0], Lang::En, false).answer_contains, None);
    }

    #[test]
    fn an_article_can_be_the_answer() {
        let s = score_answer("Use \"an\" before a vowel.", &["an"], &["an"], Lang::En, false);
        assert!(s.right);
        assert_eq!(contains("Use it before a vowel.", &["an"], Lang::En), 0.0);
    }

    #[test]
    fn references_of_symbols_are_compared_as_they_are_written() {
        for (answer, reference, expected) in [
            ("?", "?", (1.0, 1.0, 1.0)),
            ("&& [1]", "&&", (1.0, 1.0, 1.0)),
            ("Use && here", "&&", (0.0, 1.0, 0.5)),
            ("||", "&&", (0.0, 0.0, 0.0)),
            ("word", "?", (0.0, 0.0, 0.0)),
            ("", "?", (0.0, 0.0, 0.0)),
            ("", "word", (0.0, 0.0, 0.0)),
            ("[0, 1]", "[0, 1]", (1.0, 1.0, 1.0)),
            ("[0, 1]", "[0, 2]", (0.0, 0.0, 0.5)),
            ("C++ [2]", "C#", (0.0, 0.0, 0.0)),
        ] {
            assert_eq!(scores(answer, reference), expected, "{answer}");
        }
        let percent = score_answer("30%", &["30%"], &["%"], Lang::En, false);
        assert!(percent.right && percent.answer_contains == Some(1.0));
    }
}
