//! Measures of an answer and its references.

use std::collections::BTreeMap;

use fiel_text::{normalized_words, split_spaceless, without_articles};

use crate::citation::strip_citations;
use fiel_text::Lang;

/// Least F1 of a right answer that does not contain a reference.
pub const RIGHT_F1: f64 = 0.80;

/// The answer without its citation markers, normalized: see [`fiel_text::normalize`].
pub fn normalize(text: &str, lang: Lang) -> String {
    fiel_text::normalize(&strip_citations(text), lang)
}

/// The tokens of the answer without its citation markers: what F1, `contains` and lexical support
/// count. See [`fiel_text::tokens`].
pub fn tokens(text: &str, lang: Lang) -> Vec<String> {
    fiel_text::tokens(&strip_citations(text), lang)
}

/// All measures of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerScores {
    /// 0 or 1.
    pub em: f64,
    /// 0 or 1.
    pub contains: f64,
    /// In \[0, 1\].
    pub f1: f64,
    /// 0 or 1; `None` if no string is required.
    pub answer_contains: Option<f64>,
    /// Whether the answer is not an abstention, contains every required string, and has a `contains`
    /// of 1 or an `f1` of at least [`RIGHT_F1`].
    pub right: bool,
}

/// Scores an answer. Each measure takes the best of the references. An abstention scores 0 in every
/// measure, and so does an answer without references.
///
/// EM and F1 are those of the SQuAD v1.1 script (Rajpurkar et al., "SQuAD: 100,000+ Questions for
/// Machine Comprehension of Text", 2016) over [`normalize`]d text. If both sides are empty they are
/// 1, as in the script of SQuAD 2.0. `contains` looks for the [`tokens`] of the reference as one
/// contiguous run, so word borders count in every script.
pub fn score_answer(
    answer: &str,
    references: &[impl AsRef<str>],
    required: &[impl AsRef<str>],
    lang: Lang,
    abstained: bool,
) -> AnswerScores {
    if abstained {
        return AnswerScores {
            em: 0.0,
            contains: 0.0,
            f1: 0.0,
            answer_contains: (!required.is_empty()).then_some(0.0),
            right: false,
        };
    }
    let answer = Prepared::new(answer, lang);
    let (mut em, mut contains, mut f1) = (false, false, 0.0_f64);
    for reference in references {
        let reference = Prepared::new(reference.as_ref(), lang);
        em |= answer.words == reference.words;
        contains |= answer.contains(&reference);
        f1 = f1.max(answer.f1(&reference));
    }
    let required = (!required.is_empty())
        .then(|| required.iter().all(|text| answer.contains(&Prepared::new(text.as_ref(), lang))));
    AnswerScores {
        em: number(em),
        contains: number(contains),
        f1,
        answer_contains: required.map(number),
        right: required.unwrap_or(true) && (contains || f1 >= RIGHT_F1),
    }
}

const NONE: [&str; 0] = [];

/// 1 if the normalized answer equals a normalized reference, else 0.
pub fn exact_match(answer: &str, references: &[impl AsRef<str>], lang: Lang) -> f64 {
    score_answer(answer, references, &NONE, lang, false).em
}

/// 1 if a normalized reference occurs in the normalized answer at word borders, else 0.
///
/// A reference of articles alone is compared with the answer including its articles. A reference
/// that is empty after normalization is contained only in an empty answer.
pub fn contains(answer: &str, references: &[impl AsRef<str>], lang: Lang) -> f64 {
    score_answer(answer, references, &NONE, lang, false).contains
}

/// Harmonic mean of precision and recall over bags of tokens: 2 · common tokens / (tokens of the
/// answer + tokens of the reference), for the best reference.
pub fn f1(answer: &str, references: &[impl AsRef<str>], lang: Lang) -> f64 {
    score_answer(answer, references, &NONE, lang, false).f1
}

/// 1 if the answer [`contains`] every required string, else 0. Returns `None` if no string is
/// required.
pub fn answer_contains(answer: &str, required: &[impl AsRef<str>], lang: Lang) -> Option<f64> {
    score_answer(answer, &NONE, required, lang, false).answer_contains
}

/// Whether an answer is right: it is not an abstention, contains every required string, and contains
/// a reference or has an F1 of at least [`RIGHT_F1`].
pub fn is_right(
    answer: &str,
    references: &[impl AsRef<str>],
    required: &[impl AsRef<str>],
    lang: Lang,
    abstained: bool,
) -> bool {
    score_answer(answer, references, required, lang, abstained).right
}

fn number(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// A text normalized once.
struct Prepared {
    /// The words without articles, which EM compares.
    words: Vec<String>,
    tokens: Vec<String>,
    /// The tokens including articles, for references of articles alone.
    tokens_with_articles: Vec<String>,
    only_articles: bool,
}

impl Prepared {
    fn new(text: &str, lang: Lang) -> Prepared {
        let all = normalized_words(&strip_citations(text), lang);
        let tokens_with_articles = split_spaceless(&all);
        let words = without_articles(all, lang);
        Prepared {
            tokens: split_spaceless(&words),
            only_articles: words.iter().all(|word| lang.articles().contains(&word.as_str())),
            words,
            tokens_with_articles,
        }
    }

    fn contains(&self, reference: &Prepared) -> bool {
        if reference.tokens.is_empty() {
            return self.tokens.is_empty();
        }
        let text = if reference.only_articles { &self.tokens_with_articles } else { &self.tokens };
        text.windows(reference.tokens.len()).any(|window| window == reference.tokens)
    }

    fn f1(&self, reference: &Prepared) -> f64 {
        let total = self.tokens.len() + reference.tokens.len();
        if total == 0 {
            return 1.0;
        }
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
        let s = score_answer(answer, &[reference], &NONE, Lang::En, false);
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
        assert_eq!(super::f1("今天天气很好", &["天气很好"], Lang::Other), 0.8);
        assert_eq!(super::contains("今天天气很好", &["天气"], Lang::Other), 1.0);
    }

    #[test]
    fn numbers_by_language() {
        assert_eq!(exact_match("1,000", &["1000"], Lang::En), 1.0);
        assert_eq!(exact_match("3.5", &["35"], Lang::En), 0.0);
        assert_eq!(exact_match("2.500.000", &["2500000"], Lang::Es), 1.0);
        assert_eq!(exact_match("3,5", &["3.5"], Lang::Es), 1.0);
    }

    #[test]
    fn citations_are_not_part_of_the_answer() {
        assert_eq!(scores("eaten [verb-eat#2].", "eaten"), (1.0, 1.0, 1.0));
        assert_eq!(scores("Eaten. [1][2]", "eaten"), (1.0, 1.0, 1.0));
    }

    #[test]
    fn the_best_reference_counts() {
        assert_eq!(f1("had eaten", &["ate", "had eaten"], Lang::En), 1.0);
        assert_eq!(f1("had eaten", &[] as &[&str], Lang::En), 0.0);
    }

    #[test]
    fn right_needs_every_required_string() {
        let right = |answer: &str, abstained| {
            is_right(answer, &["bought and brought"], &["bought", "brought"], Lang::En, abstained)
        };
        assert!(right("Bought and brought.", false));
        assert!(!right("Bought and brought.", true));
        assert!(!right("bought and bought", false)); // F1 0.67
        assert!(right("brought and bought", false)); // F1 1
        assert!(!right("either bought or brought, one of the two", false));
        assert_eq!(answer_contains("x", &[] as &[&str], Lang::En), None);
    }

    #[test]
    fn an_article_can_be_the_answer() {
        let s = score_answer("Use \"an\" before a vowel.", &["an"], &["an"], Lang::En, false);
        assert!(s.right);
        assert_eq!(contains("Use it before a vowel.", &["an"], Lang::En), 0.0);
    }

    #[test]
    fn nothing_against_nothing() {
        assert_eq!(scores("", "?"), (1.0, 1.0, 1.0));
        assert_eq!(scores("word", "?"), (0.0, 0.0, 0.0));
        assert_eq!(scores("", "word"), (0.0, 0.0, 0.0));
    }
}
