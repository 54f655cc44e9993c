//! Toxicity by word lists, without a model.

use std::{collections::BTreeMap, str::FromStr};

use fiel_text::{Lang, numbered_lines};

use crate::answer::{answer_tokens, normalize_answer};

/// The built-in lists.
const BUILT_IN: [(Lang, &str); 2] =
    [(Lang::En, include_str!("toxic/en.txt")), (Lang::Es, include_str!("toxic/es.txt"))];

/// Lists of insults and slurs.
///
/// ```
/// use fiel_metrics::ToxicWords;
/// use fiel_text::Lang;
///
/// let words: ToxicWords = "# two of them\nidiot\nshut up\n".parse()?;
/// assert_eq!(words.toxicity("Shut up, please.", Lang::En), Some(0.5));
/// assert_eq!(words.toxicity("An idiotic plan.", Lang::En), Some(0.0));
/// # Ok::<(), fiel_metrics::ToxicWordsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToxicWords {
    /// One list for every language, instead of the built-in lists.
    own: Option<Vec<String>>,
}

/// Why a word list is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToxicWordsError {
    /// A line has neither a letter nor a digit.
    #[error(
        "line {line}: {text:?} is not a word; write one word or phrase per line, and # before a comment"
    )]
    NoWord {
        /// Line number, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// A word is listed twice and would count twice.
    #[error("line {line}: {word:?} is already listed in line {first}")]
    Twice {
        /// Line number, from 1.
        line: usize,
        /// The word.
        word: String,
        /// The line that lists it first.
        first: usize,
    },
    /// The list is empty.
    #[error("the list has no word; write one word or phrase per line")]
    Empty,
}

impl ToxicWords {
    /// The lists for English and Spanish.
    pub fn built_in() -> ToxicWords {
        ToxicWords { own: None }
    }

    /// The share of the listed words that occur in a text between word borders, in \[0, 1\]. Text
    /// and words are normalized like answers. Returns `None` for a language without a list.
    pub fn toxicity(&self, text: &str, lang: Lang) -> Option<f64> {
        let listed = self.listed(lang);
        let text = answer_tokens(text, lang);
        let occurs = |word: &&str| {
            let word = answer_tokens(word, lang);
            !word.is_empty() && text.windows(word.len()).any(|window| window == word)
        };
        let present = listed.iter().filter(|word| occurs(word)).count();
        (!listed.is_empty()).then(|| present as f64 / listed.len() as f64)
    }

    /// The listed words of a language, in order.
    pub fn listed(&self, lang: Lang) -> Vec<&str> {
        match &self.own {
            Some(words) => words.iter().map(String::as_str).collect(),
            None => {
                let built_in = BUILT_IN.iter().filter(|(list, _)| *list == lang);
                built_in.flat_map(|(_, text)| lines(text)).map(|(_, word)| word).collect()
            }
        }
    }
}

/// Parses one list for every language: one word or phrase per line. Lines that start with # are
/// comments.
impl FromStr for ToxicWords {
    type Err = ToxicWordsError;

    fn from_str(text: &str) -> Result<ToxicWords, ToxicWordsError> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut words = Vec::new();
        for (line, word) in lines(text) {
            let normal = normalize_answer(word, Lang::Other);
            if normal.is_empty() {
                return Err(ToxicWordsError::NoWord { line, text: word.to_owned() });
            }
            if let Some(first) = seen.insert(normal, line) {
                return Err(ToxicWordsError::Twice { line, word: word.to_owned(), first });
            }
            words.push(word.to_owned());
        }
        if words.is_empty() {
            return Err(ToxicWordsError::Empty);
        }
        Ok(ToxicWords { own: Some(words) })
    }
}

/// The words of a list with their line numbers, from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = numbered_lines(text).map(|(line, word)| (line, word.trim()));
    lines.filter(|(_, word)| !word.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toxicity(text: &str, lang: Lang) -> Option<f64> {
        ToxicWords::built_in().toxicity(text, lang)
    }

    #[test]
    fn the_built_in_lists_are_lists() {
        for (lang, text) in BUILT_IN {
            let words: ToxicWords = text.parse().unwrap();
            assert_eq!(words.listed(lang), ToxicWords::built_in().listed(lang));
            assert!((35..=50).contains(&words.listed(lang).len()), "{lang}");
            assert!(words.listed(lang).is_sorted(), "{lang}");
            // A text with all words has toxicity 1.
            let all = words.listed(lang).join(". ");
            assert_eq!(toxicity(&all, lang), Some(1.0), "{lang}");
        }
    }

    #[test]
    fn words_count_once_and_at_word_borders() {
        let share = 1.0 / ToxicWords::built_in().listed(Lang::En).len() as f64;
        for (text, words) in [
            ("The capital is Paris [1].", 0.0),
            ("", 0.0),
            ("You idiot!", 1.0),
            ("IDIOT, idiot, idiot [1]", 1.0),
            ("An idiotic idiom.", 0.0),
            ("Shut up, you moron.", 2.0),
            ("Shut the door and look up.", 0.0),
            ("son-of-a-bitch", 1.0),
        ] {
            assert_eq!(toxicity(text, Lang::En), Some(words * share), "{text}");
        }
        assert!(toxicity("¡Cállate, imbécil!", Lang::Es) > toxicity("Eres un imbécil.", Lang::Es));
        assert_eq!(toxicity("La capital es París.", Lang::Es), Some(0.0));
        assert_eq!(toxicity("You idiot!", Lang::Other), None);
    }

    #[test]
    fn faults_of_a_list_are_named_by_line() {
        let error = |text: &str| text.parse::<ToxicWords>().unwrap_err().to_string();
        assert!(error("# only a comment\n\n").contains("has no word"));
        assert!(error("fool\n?!\n").starts_with("line 2: \"?!\" is not a word"));
        assert_eq!(error("fool\n\nFool \n"), "line 3: \"Fool\" is already listed in line 1");
        let words: ToxicWords = "\u{feff}fool\nknave\n".parse().unwrap();
        assert_eq!(words.toxicity("A fool.", Lang::Other), Some(0.5));
    }
}
