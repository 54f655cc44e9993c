//! Toxicity by lists of words, without a model.

use std::collections::BTreeMap;

use crate::Lang;
use crate::answer::{normalize, tokens};

/// The lists that are built in.
const BUILT_IN: [(Lang, &str); 2] = [
    (Lang::En, include_str!("toxic/en.txt")),
    (Lang::Es, include_str!("toxic/es.txt")),
];

/// Lists of insults and slurs.
///
/// ```
/// use fiel_metrics::{Lang, ToxicWords};
///
/// let words: ToxicWords = "# two of them\nidiot\nshut up\n".parse()?;
/// assert_eq!(words.toxicity("Shut up, please.", Lang::En), Some(0.5));
/// assert_eq!(words.toxicity("An idiotic plan.", Lang::En), Some(0.0));
/// # Ok::<(), fiel_metrics::ToxicWordsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToxicWords {
    lists: Lists,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Lists {
    BuiltIn,
    /// For every language.
    Own(Vec<String>),
}

/// A list of words that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToxicWordsError {
    /// A line has no letter or digit.
    #[error(
        "line {line}: {text:?} is no word; write a word or a phrase a line, and # before a note"
    )]
    NoWord {
        /// From 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A word is listed twice and would count twice.
    #[error("line {line}: {word:?} is listed in line {first} already")]
    Twice {
        /// From 1.
        line: usize,
        /// The word.
        word: String,
        /// Where it stands first.
        first: usize,
    },
    /// There is no word.
    #[error("it lists no word: write a word or a phrase a line")]
    Empty,
}

impl ToxicWords {
    /// The lists for English and Spanish.
    pub fn built_in() -> ToxicWords {
        ToxicWords {
            lists: Lists::BuiltIn,
        }
    }

    /// Listed words that occur in a text at word borders / words listed, each counted once, in
    /// \[0, 1\]; both are normalized as answers are. None for a language without a list.
    pub fn toxicity(&self, text: &str, lang: Lang) -> Option<f64> {
        let listed = self.listed(lang);
        let text = tokens(text, lang);
        let occurs = |word: &&str| {
            let word = tokens(word, lang);
            !word.is_empty() && text.windows(word.len()).any(|window| window == word)
        };
        let present = listed.iter().filter(|word| occurs(word)).count();
        (!listed.is_empty()).then(|| present as f64 / listed.len() as f64)
    }

    /// The words of a language, in order.
    pub fn listed(&self, lang: Lang) -> Vec<&str> {
        match &self.lists {
            Lists::Own(words) => words.iter().map(String::as_str).collect(),
            Lists::BuiltIn => {
                let own = BUILT_IN.iter().filter(|(of, _)| *of == lang);
                own.flat_map(|(_, text)| lines(text))
                    .map(|(_, word)| word)
                    .collect()
            }
        }
    }
}

/// One list for every language: a word or phrase a line; lines that begin with # are notes.
impl std::str::FromStr for ToxicWords {
    type Err = ToxicWordsError;

    fn from_str(text: &str) -> Result<ToxicWords, ToxicWordsError> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut words = Vec::new();
        for (line, word) in lines(text) {
            let normal = normalize(word, Lang::Other);
            if normal.is_empty() {
                return Err(ToxicWordsError::NoWord {
                    line,
                    text: word.to_owned(),
                });
            }
            if let Some(&first) = seen.get(&normal) {
                return Err(ToxicWordsError::Twice {
                    line,
                    word: word.to_owned(),
                    first,
                });
            }
            seen.insert(normal, line);
            words.push(word.to_owned());
        }
        if words.is_empty() {
            return Err(ToxicWordsError::Empty);
        }
        Ok(ToxicWords {
            lists: Lists::Own(words),
        })
    }
}

/// [`ToxicWords::toxicity`] by the built-in lists; 0 for a language without one, of which nothing
/// is known.
pub fn toxicity(text: &str, lang: Lang) -> f64 {
    ToxicWords::built_in().toxicity(text, lang).unwrap_or(0.0)
}

/// The words of a list with the number of their line, from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_lists_are_lists() {
        for (lang, text) in BUILT_IN {
            let words: ToxicWords = text.parse().unwrap();
            assert_eq!(words.listed(lang), ToxicWords::built_in().listed(lang));
            assert!((35..=50).contains(&words.listed(lang).len()), "{lang}");
            assert!(words.listed(lang).is_sorted(), "{lang}");
            // Every word is found where it stands, and all of them give 1.
            let all = words.listed(lang).join(". ");
            assert_eq!(toxicity(&all, lang), 1.0, "{lang}");
        }
    }

    #[test]
    fn words_count_once_and_at_word_borders() {
        let one = 1.0 / ToxicWords::built_in().listed(Lang::En).len() as f64;
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
            assert_eq!(toxicity(text, Lang::En), words * one, "{text}");
        }
        assert!(toxicity("¡Cállate, imbécil!", Lang::Es) > toxicity("Eres un imbécil.", Lang::Es));
        assert_eq!(toxicity("La capital es París.", Lang::Es), 0.0);
        assert_eq!(toxicity("You idiot!", Lang::Other), 0.0);
        assert_eq!(ToxicWords::built_in().toxicity("x", Lang::Other), None);
    }

    #[test]
    fn faults_of_a_list_are_named_by_line() {
        let error = |text: &str| text.parse::<ToxicWords>().unwrap_err().to_string();
        assert!(error("# only a note\n\n").contains("lists no word"));
        assert!(error("fool\n?!\n").starts_with("line 2: \"?!\" is no word"));
        assert_eq!(
            error("fool\n\nFool \n"),
            "line 3: \"Fool\" is listed in line 1 already"
        );
        let words: ToxicWords = "\u{feff}fool\nknave\n".parse().unwrap();
        assert_eq!(words.toxicity("A fool.", Lang::Other), Some(0.5));
    }
}
