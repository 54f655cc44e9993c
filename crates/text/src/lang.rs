//! The language of a text: its code, stop words, articles and number marks.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    accents::without_accents,
    stop_words::{ENGLISH, SPANISH},
};

/// ISO 639 codes, one language per line: the ISO 639-1 code, the ISO 639-2 codes, and the names of
/// the language in English, Spanish and itself (Unicode CLDR), in lower case.
const ISO_639: &str = include_str!("iso639.tsv");

/// Language of a question, an answer or a document.
///
/// Parses from an ISO 639-1 code or its three-letter form in any case, with or without a region:
/// `en`, `EN-gb`, `es_MX`, `spa`. English and Spanish have stop words, articles, number marks and a
/// stemmer. Every other language is [`Lang::Other`], which has none of them and prints as `und`
/// (ISO 639-2, undetermined).
///
/// ```
/// use fiel_text::Lang;
///
/// assert_eq!("es-MX".parse(), Ok(Lang::Es));
/// assert_eq!("fr".parse(), Ok(Lang::Other));
/// let error = "spanish".parse::<Lang>().unwrap_err().to_string();
/// assert!(error.starts_with("unknown language code \"spanish\" (did you mean \"es\"?); expected"));
/// ```
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

/// A text that is not a language code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown language code {0:?}{hint}; expected an ISO 639 code, or \"und\" for a language without \
     one: {codes}",
    hint = code_of_name(.0).map(|code| format!(" (did you mean {code:?}?)")).unwrap_or_default(),
    codes = rows().map(|[code, ..]| code).collect::<Vec<_>>().join(", ")
)]
pub struct LangError(String);

impl Lang {
    /// Words that carry no content, normalized and sorted. Negations are among them.
    pub fn stop_words(self) -> &'static [&'static str] {
        match self {
            Lang::En => ENGLISH,
            Lang::Es => SPANISH,
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
        let is_known = language == "und"
            || rows().any(|[short, long, _]| {
                language == short || long.split(',').any(|code| language == code)
            });
        let has_valid_subtags =
            parts.all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        match language {
            _ if !is_known || !has_valid_subtags => Err(LangError(text.to_owned())),
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

/// The lines of [`ISO_639`].
fn rows() -> impl Iterator<Item = [&'static str; 3]> {
    ISO_639.lines().map(|line| {
        let mut fields = line.split('\t');
        [(); 3].map(|()| fields.next().unwrap_or_default())
    })
}

/// The code of a language by its name in English, Spanish or itself; accents are ignored.
fn code_of_name(name: &str) -> Option<&'static str> {
    let name = without_accents(name.trim()).to_lowercase();
    let is_named = |names: &str| names.split(',').any(|own| without_accents(own) == name);
    let row = rows().find(|[_, _, names]| is_named(names));
    row.map(|[code, ..]| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_parse_and_print() {
        for (code, lang) in [
            ("en", Lang::En),
            ("EN", Lang::En),
            ("eng", Lang::En),
            ("EN-gb", Lang::En),
            ("es_MX", Lang::Es),
            ("SPA", Lang::Es),
            ("zh-Hans", Lang::Other),
            ("ger", Lang::Other),
            ("und", Lang::Other),
        ] {
            assert_eq!(code.parse(), Ok(lang), "{code}");
            assert_eq!(lang.to_string().parse(), Ok(lang));
        }
        for code in ["", "e", "xx", "english", "1n", "en-", "en-é"] {
            assert!(code.parse::<Lang>().is_err(), "{code}");
        }
        assert_eq!(serde_json::to_string(&Lang::Es).unwrap(), "\"es\"");
        assert!(serde_json::from_str::<Lang>("\"??\"").is_err());
    }

    #[test]
    fn an_unknown_code_is_named_and_the_name_of_a_language_gets_its_code() {
        let error = |text: &str| text.parse::<Lang>().unwrap_err().to_string();
        for (name, code) in [
            ("spanish", "es"),
            ("Español", "es"),
            ("espanol", "es"),
            ("INGLÉS", "en"),
            ("Deutsch", "de"),
        ] {
            let start =
                format!("unknown language code {name:?} (did you mean {code:?}?); expected");
            assert!(error(name).starts_with(&start), "{}", error(name));
        }
        let unknown = error("xx");
        assert!(unknown.starts_with("unknown language code \"xx\"; expected an ISO 639 code"));
        assert!(unknown.contains(" en, eo, es, et, "), "{unknown}");
    }

    #[test]
    fn the_table_has_a_code_two_letters_long_in_every_line() {
        assert!(rows().all(|[short, long, names]| {
            short.len() == 2 && long.len() >= 3 && !names.is_empty()
        }));
        assert!(rows().is_sorted_by(|[a, ..], [b, ..]| a < b));
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
