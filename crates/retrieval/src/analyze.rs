use tantivy::tokenizer::{AsciiFoldingFilter, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer};
use unicode_normalization::UnicodeNormalization;

/// Language whose stemmer BM25 uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English Snowball stemmer.
    #[default]
    English,
    /// Spanish Snowball stemmer.
    Spanish,
    /// Words as they are.
    Other,
}

impl Language {
    /// By ISO 639-1 code, with or without a region: `en`, `es-CO`.
    pub fn from_code(code: &str) -> Self {
        match code.split(['-', '_']).next().unwrap_or_default() {
            // A base that does not say is taken for English, as everywhere.
            "" | "en" => Self::English,
            "es" => Self::Spanish,
            _ => Self::Other,
        }
    }

    /// The terms of a text as BM25 compares them, in order, repetitions kept.
    pub fn terms(self, text: &str) -> Vec<String> {
        terms(&mut self.analyzer(), text)
    }

    /// Words, lower case, stemmed with their accents, then folded to ASCII. No stop word is
    /// dropped: in a text on grammar *do* and *have* are what is asked about, and the rarity
    /// weight of BM25 makes the others harmless.
    pub(crate) fn analyzer(self) -> TextAnalyzer {
        let words = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser);
        let stem = |language| Stemmer::new(language);
        match self {
            Self::English => words
                .filter(stem(tantivy::tokenizer::Language::English))
                .filter(AsciiFoldingFilter)
                .build(),
            Self::Spanish => words
                .filter(stem(tantivy::tokenizer::Language::Spanish))
                .filter(AsciiFoldingFilter)
                .build(),
            Self::Other => words.filter(AsciiFoldingFilter).build(),
        }
    }
}

/// The terms of a text, in order, repetitions kept. Composed and decomposed letters meet.
pub(crate) fn terms(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let composed: String = text.nfc().collect();
    let mut stream = analyzer.token_stream(&composed);
    let mut out = Vec::new();
    while stream.advance() {
        out.push(stream.token().text.clone());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, text: &str) -> Vec<String> {
        terms(&mut language.analyzer(), text)
    }

    #[test]
    fn accents_and_composition_do_not_matter() {
        assert_eq!(
            of(Language::English, "café"),
            of(Language::English, "cafe\u{301}")
        );
        assert_eq!(
            of(Language::Spanish, "canción"),
            of(Language::Spanish, "cancion")
        );
        assert_eq!(
            of(Language::Spanish, "trabajadores"),
            of(Language::Spanish, "trabajador")
        );
        assert_eq!(of(Language::English, "Verbs eating"), ["verb", "eat"]);
    }

    #[test]
    fn signs_of_query_languages_are_no_syntax() {
        assert_eq!(
            of(Language::Other, "status:open AND \"a - b"),
            ["status", "open", "and", "a", "b"]
        );
        let long = "x".repeat(200);
        assert_eq!(of(Language::English, &long), [long]);
    }
}
