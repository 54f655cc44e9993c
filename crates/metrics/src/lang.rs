//! The language of a text: stop words, articles and the way numbers are written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Language of a question, an answer or a context.
///
/// Parses from ISO 639 codes, with or without a region: `en`, `en-GB`, `es`,
/// `es_MX`. Every other well-formed code is [`Lang::Other`], which has neither
/// stop words nor articles, leaves numbers as they stand, and prints as `und`
/// (ISO 639-2, undetermined).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub enum Lang {
    /// English: 1,000.5
    #[default]
    En,
    /// Spanish: 1.000,5
    Es,
    /// Any other language.
    Other,
}

/// A text that is no language code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language code: give an ISO 639 code such as \"en\" or \"es\"")]
pub struct LangError(String);

impl Lang {
    /// Words without content of their own, normalized and sorted; negations are among them.
    pub fn stop_words(self) -> &'static [&'static str] {
        match self {
            Lang::En => STOP_EN,
            Lang::Es => STOP_ES,
            Lang::Other => &[],
        }
    }

    /// Articles, which normalization removes.
    pub fn articles(self) -> &'static [&'static str] {
        match self {
            Lang::En => &["a", "an", "the"],
            Lang::Es => &["el", "la", "los", "las", "un", "una", "unos", "unas"],
            Lang::Other => &[],
        }
    }

    /// Whether a normalized word is a stop word.
    pub fn is_stop_word(self, word: &str) -> bool {
        self.stop_words().binary_search(&word).is_ok()
    }

    /// Thousands separator and decimal mark.
    pub(crate) fn number_marks(self) -> Option<(char, char)> {
        match self {
            Lang::En => Some((',', '.')),
            Lang::Es => Some(('.', ',')),
            Lang::Other => None,
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lang::En => "en",
            Lang::Es => "es",
            Lang::Other => "und",
        })
    }
}

impl FromStr for Lang {
    type Err = LangError;

    fn from_str(text: &str) -> Result<Self, LangError> {
        let code = text.trim().to_ascii_lowercase();
        let mut parts = code.split(['-', '_']);
        let language = parts.next().unwrap_or_default();
        let well_formed = (2..=3).contains(&language.len())
            && language.bytes().all(|b| b.is_ascii_alphabetic())
            && parts.all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        match language {
            _ if !well_formed => Err(LangError(text.to_owned())),
            "en" | "eng" => Ok(Lang::En),
            "es" | "spa" => Ok(Lang::Es),
            _ => Ok(Lang::Other),
        }
    }
}

impl TryFrom<String> for Lang {
    type Error = LangError;

    fn try_from(text: String) -> Result<Self, LangError> {
        text.parse()
    }
}

impl From<Lang> for String {
    fn from(lang: Lang) -> String {
        lang.to_string()
    }
}

// Function words only: a word that carries a fact is never listed. Contractions
// stand as normalization leaves them ("don't" is "dont").
#[rustfmt::skip]
const STOP_EN: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any",
    "are", "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between",
    "both", "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does",
    "doesnt", "doing", "dont", "down", "during", "each", "either", "etc", "few", "for", "from",
    "further", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here",
    "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "im", "in", "into",
    "is", "isnt", "it", "its", "itself", "ive", "just", "may", "me", "might", "more", "most",
    "must", "mustnt", "my", "myself", "neither", "never", "no", "none", "nor", "not", "of", "off",
    "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "same",
    "shall", "she", "should", "shouldnt", "so", "some", "such", "than", "that", "thats", "the",
    "their", "theirs", "them", "themselves", "then", "there", "therefore", "theres", "these",
    "they", "this", "those", "through", "thus", "to", "too", "under", "until", "up", "upon", "us",
    "very", "was", "wasnt", "we", "were", "werent", "what", "when", "where", "whether", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "without", "wont", "would", "wouldnt",
    "yes", "you", "your", "yours", "yourself", "yourselves",
];

#[rustfmt::skip]
const STOP_ES: &[&str] = &[
    "a", "al", "algo", "algunas", "alguno", "algunos", "algún", "ambos", "ante", "antes", "así",
    "aunque", "bajo", "bien", "cada", "como", "con", "contra", "cual", "cuales", "cuando", "cuál",
    "cuáles", "cuándo", "cómo", "de", "del", "desde", "después", "donde", "durante", "dónde", "e",
    "el", "ella", "ellas", "ello", "ellos", "en", "entonces", "entre", "era", "eran", "eres", "es",
    "esa", "esas", "ese", "eso", "esos", "esta", "estaba", "estaban", "estado", "estamos", "estar",
    "estas", "este", "esto", "estos", "está", "están", "etc", "fue", "fueron", "ha", "haber",
    "había", "habían", "han", "has", "hasta", "hay", "he", "hemos", "jamás", "la", "las", "le",
    "les", "lo", "los", "me", "mi", "mis", "muy", "más", "mí", "nada", "nadie", "ni", "ninguna",
    "ningunas", "ninguno", "ningunos", "ningún", "no", "nos", "nosotras", "nosotros", "nuestra",
    "nuestras", "nuestro", "nuestros", "nunca", "o", "os", "otra", "otras", "otro", "otros", "para",
    "pero", "por", "porque", "pues", "que", "quien", "quienes", "quién", "quiénes", "qué", "se",
    "sea", "sean", "ser", "será", "serán", "sido", "siendo", "sin", "sino", "sobre", "sois", "solo",
    "somos", "son", "soy", "su", "sus", "suya", "suyas", "suyo", "suyos", "sí", "sólo", "también",
    "tampoco", "tan", "tanto", "te", "ti", "tu", "tus", "tú", "u", "un", "una", "unas", "uno",
    "unos", "usted", "ustedes", "vosotras", "vosotros", "y", "ya", "yo", "él",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_parse_and_print() {
        for (code, lang) in [
            ("en", Lang::En),
            ("EN-gb", Lang::En),
            ("es_MX", Lang::Es),
            ("zh-Hans", Lang::Other),
        ] {
            assert_eq!(code.parse(), Ok(lang));
            assert_eq!(lang.to_string().parse(), Ok(lang));
        }
        for code in ["", "e", "english", "1n", "en-"] {
            assert!(code.parse::<Lang>().is_err(), "{code}");
        }
        assert_eq!(serde_json::to_string(&Lang::Es).unwrap(), "\"es\"");
        assert!(serde_json::from_str::<Lang>("\"??\"").is_err());
    }

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        for lang in [Lang::En, Lang::Es] {
            assert!(lang.stop_words().is_sorted_by(|a, b| a < b), "{lang}");
            for article in lang.articles() {
                assert!(lang.is_stop_word(article), "{article}");
            }
        }
        assert!(!Lang::En.is_stop_word("eaten"));
    }
}
