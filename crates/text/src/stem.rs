//! Stems of words, by Snowball.

use std::borrow::Cow;

use frostem::Algorithm;
use unicode_normalization::UnicodeNormalization;

use crate::{Lang, alphanumeric_runs, without_accents};

/// The Snowball stemmer of a language; words of [`Lang::Other`] are their own stems.
pub struct Stemmer(Option<frostem::Stemmer>);

impl Stemmer {
    /// The stemmer of a language.
    pub fn new(lang: Lang) -> Stemmer {
        Stemmer(match lang {
            Lang::En => Some(frostem::Stemmer::new(Algorithm::English)),
            Lang::Es => Some(frostem::Stemmer::new(Algorithm::Spanish)),
            Lang::Other => None,
        })
    }

    /// The stem of a word in lower case.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match &self.0 {
            Some(stemmer) => stemmer.stem(word),
            None => Cow::Borrowed(word),
        }
    }
}

/// The stems of all words of a text in order, in lower case and without accents. A word is a run
/// of letters and digits.
///
/// ```
/// use fiel_text::{Lang, stems};
///
/// assert_eq!(stems("Verbs, eating", Lang::En), ["verb", "eat"]);
/// assert_eq!(stems("La canción", Lang::Es), ["la", "cancion"]);
/// ```
pub fn stems(text: &str, lang: Lang) -> Vec<String> {
    let stemmer = Stemmer::new(lang);
    let text: String = text.nfc().flat_map(char::to_lowercase).collect();
    alphanumeric_runs(&text).map(|word| without_accents(&stemmer.stem(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_composition_do_not_matter() {
        assert_eq!(stems("café", Lang::En), stems("cafe\u{301}", Lang::En));
        assert_eq!(stems("canción", Lang::Es), stems("cancion", Lang::Es));
        assert_eq!(stems("trabajadores", Lang::Es), stems("trabajador", Lang::Es));
        assert_eq!(stems("The forms: 3.5", Lang::Other), ["the", "forms", "3", "5"]);
    }
}
