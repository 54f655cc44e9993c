use tantivy::tokenizer::{
    AsciiFoldingFilter, Language as Snowball, LowerCaser, SimpleTokenizer, Stemmer, StopWordFilter,
    TextAnalyzer,
};
use unicode_normalization::UnicodeNormalization;

/// Language whose stemmer and stop words BM25 uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
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

    fn snowball(self) -> Option<Snowball> {
        match self {
            Self::English => Some(Snowball::English),
            Self::Spanish => Some(Snowball::Spanish),
            Self::Other => None,
        }
    }

    /// The terms of a text as BM25 compares them, in order, repetitions kept, stop words too.
    pub fn terms(self, text: &str) -> Vec<String> {
        let analysis = Analysis {
            language: self,
            ..Analysis::default()
        };
        terms(&mut analysis.analyzer(), text)
    }
}

/// How BM25 makes terms of a text, and what each kind of them counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Stemmer and stop words.
    pub language: Language,
    /// Whether stop words are left out. By default none is: in a text on grammar *do* and *have*
    /// are what is asked about, and the rarity weight of BM25 makes the others harmless.
    pub stop_words: bool,
    /// Weight of a word of the title beside the same word of the text; 0: titles count in the
    /// text alone.
    pub title_boost: f64,
    /// Weight of a word as it is written, not stemmed, beside its stem.
    pub exact_weight: f64,
    /// Weight of two words that follow one another.
    pub pair_weight: f64,
    /// Weight of four letters of a word that follow one another.
    pub gram_weight: f64,
}

impl Analysis {
    /// Words, lower case, without stop words where that is asked for, stemmed with their accents,
    /// then folded to ASCII. A word may have any length.
    pub(crate) fn analyzer(self) -> TextAnalyzer {
        let mut words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(LowerCaser)
            .dynamic();
        if let Some(language) = self.language.snowball() {
            if let (true, Some(stop)) = (self.stop_words, StopWordFilter::new(language)) {
                words = words.filter_dynamic(stop);
            }
            words = words.filter_dynamic(Stemmer::new(language));
        }
        words.filter_dynamic(AsciiFoldingFilter).build()
    }
}

/// Words in lower case without accents, as they are compared when spelling is repaired.
pub(crate) fn surface() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
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
        language.terms(text)
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
    fn stop_words_go_where_that_is_asked_for() {
        let without = |language, text| {
            let analysis = Analysis {
                language,
                stop_words: true,
                ..Analysis::default()
            };
            terms(&mut analysis.analyzer(), text)
        };
        assert_eq!(
            without(Language::English, "The past of the verbs"),
            ["past", "verb"]
        );
        assert_eq!(
            without(Language::Spanish, "Los días de la semana"),
            ["dias", "seman"]
        );
        assert_eq!(without(Language::Other, "the past"), ["the", "past"]);
    }

    #[test]
    fn signs_of_query_languages_are_no_syntax_and_identifiers_stay() {
        assert_eq!(
            of(Language::Other, "status:open AND \"a - b"),
            ["status", "open", "and", "a", "b"]
        );
        let long = "x".repeat(200);
        assert_eq!(of(Language::English, &long), [long]);
        assert_eq!(of(Language::English, "HTTP_503 v2"), ["http", "503", "v2"]);
    }
}
