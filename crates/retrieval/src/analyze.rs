//! How BM25 makes terms of a text.

use fiel_text::Lang;
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language as Snowball, LowerCaser, SimpleTokenizer, Stemmer, StopWordFilter,
    TextAnalyzer,
};
use unicode_normalization::UnicodeNormalization;

/// How BM25 makes terms of a text, and the weight of each kind of term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Language of the stemmer and the stop words. [`Lang::Other`] has neither.
    pub language: Lang,
    /// Whether to leave out stop words. By default they stay: in a text on grammar, *do* and *have*
    /// are the subject, and BM25 gives little weight to frequent words.
    pub stop_words: bool,
    /// Weight of a word of the title relative to the same word of the text; 0: titles count only
    /// as part of the text.
    pub title_boost: f64,
    /// Weight of the unstemmed word relative to its stem.
    pub exact_weight: f64,
    /// Weight of a pair of adjacent words.
    pub pair_weight: f64,
    /// Weight of four adjacent letters of a word.
    pub gram_weight: f64,
}

impl Analysis {
    /// The text that stands for these settings in the digest of an index. Runs are compared by that
    /// digest, so the text does not follow the names of types and fields.
    pub(crate) fn identity(&self) -> String {
        let language = match self.language {
            Lang::En => "English",
            Lang::Es => "Spanish",
            Lang::Other => "Other",
        };
        let Self { stop_words, title_boost, exact_weight, pair_weight, gram_weight, .. } = self;
        format!(
            "Analysis {{ language: {language}, stop_words: {stop_words}, title_boost: {title_boost:?}, \
             exact_weight: {exact_weight:?}, pair_weight: {pair_weight:?}, gram_weight: {gram_weight:?} }}"
        )
    }

    /// The analyzer: words of any length in lower case, without stop words if
    /// [`Analysis::stop_words`] is set, stemmed with their accents and then folded to ASCII.
    pub(crate) fn analyzer(self) -> TextAnalyzer {
        let mut words =
            TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser).dynamic();
        let snowball = match self.language {
            Lang::En => Some(Snowball::English),
            Lang::Es => Some(Snowball::Spanish),
            Lang::Other => None,
        };
        if let Some(language) = snowball {
            if let (true, Some(stop)) = (self.stop_words, StopWordFilter::new(language)) {
                words = words.filter_dynamic(stop);
            }
            words = words.filter_dynamic(Stemmer::new(language));
        }
        words.filter_dynamic(AsciiFoldingFilter).build()
    }
}

/// The analyzer for the repair of spelling: words in lower case without accents.
pub(crate) fn surface() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// The terms of a text in order, including repetitions. Composed and decomposed letters give the
/// same terms.
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

    fn stemmed(language: Lang, text: &str) -> Vec<String> {
        let analysis = Analysis { language, ..Analysis::default() };
        terms(&mut analysis.analyzer(), text)
    }

    #[test]
    fn the_identity_of_the_settings_is_stable() {
        let text = "Analysis { language: English, stop_words: false, title_boost: 0.0, exact_weight: 0.0, \
                    pair_weight: 0.0, gram_weight: 0.0 }";
        assert_eq!(Analysis::default().identity(), text);
    }

    #[test]
    fn accents_and_composition_do_not_matter() {
        assert_eq!(stemmed(Lang::En, "café"), stemmed(Lang::En, "cafe\u{301}"));
        assert_eq!(stemmed(Lang::Es, "canción"), stemmed(Lang::Es, "cancion"));
        assert_eq!(stemmed(Lang::Es, "trabajadores"), stemmed(Lang::Es, "trabajador"));
        assert_eq!(stemmed(Lang::En, "Verbs eating"), ["verb", "eat"]);
    }

    #[test]
    fn stop_words_are_dropped_on_request() {
        let without = |language, text| {
            let analysis = Analysis { language, stop_words: true, ..Analysis::default() };
            terms(&mut analysis.analyzer(), text)
        };
        assert_eq!(without(Lang::En, "The past of the verbs"), ["past", "verb"]);
        assert_eq!(without(Lang::Es, "Los días de la semana"), ["dias", "seman"]);
        assert_eq!(without(Lang::Other, "the past"), ["the", "past"]);
    }

    #[test]
    fn query_syntax_is_text_and_identifiers_stay_whole() {
        assert_eq!(
            stemmed(Lang::Other, "status:open AND \"a - b"),
            ["status", "open", "and", "a", "b"]
        );
        let long = "x".repeat(200);
        assert_eq!(stemmed(Lang::En, &long), [long]);
        assert_eq!(stemmed(Lang::En, "HTTP_503 v2"), ["http", "503", "v2"]);
    }
}
