//! How BM25 makes terms of a text.

use std::ops::Range;

use fiel_text::{Lang, is_hangul, is_ignorable, is_pictograph, is_spaceless};
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
    /// Whether to leave out the stop words of a question that has other words. By default they stay:
    /// in a text on grammar, *do* and *have* are the subject, and BM25 gives little weight to
    /// frequent words.
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

    /// The analyzer of texts: words in lower case, stemmed with their accents and then folded to
    /// ASCII.
    pub(crate) fn analyzer(self) -> Analyzer {
        let words = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser);
        let folded = match self.snowball() {
            Some(language) => {
                words.filter(Stemmer::new(language)).filter(AsciiFoldingFilter).build()
            }
            None => words.filter(AsciiFoldingFilter).build(),
        };
        Analyzer { words: folded }
    }

    /// The analyzer of questions: that of texts, without stop words if [`Analysis::stop_words`] is
    /// set. `None` if it is that of texts.
    pub(crate) fn without_stop_words(self) -> Option<Analyzer> {
        let language = self.snowball().filter(|_| self.stop_words)?;
        let words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(LowerCaser)
            .filter(StopWordFilter::new(language)?)
            .filter(Stemmer::new(language))
            .filter(AsciiFoldingFilter);
        Some(Analyzer { words: words.build() })
    }

    fn snowball(self) -> Option<Snowball> {
        match self.language {
            Lang::En => Some(Snowball::English),
            Lang::Es => Some(Snowball::Spanish),
            Lang::Other => None,
        }
    }
}

/// The longest word that is stemmed, in bytes: the time of the stemmer grows with the square of the
/// length, and no word of a language is longer.
const LONGEST_STEMMED: usize = 64;
/// Characters of a term; the rest of a longer word does not count.
const LONGEST_TERM: usize = 512;

/// Makes terms of texts. Composed and decomposed letters, full and half widths give the same terms.
///
/// - A script without spaces between words and Hangul give pairs of adjacent characters, as the CJK
///   analyzer of Lucene does; a character alone is a term.
/// - A pictograph is a term.
/// - A sign at the end of a name (`C++`, `C#`) or a point before it (`.NET`) makes a second term
///   with the sign.
/// - Other text gives words.
#[derive(Clone)]
pub(crate) struct Analyzer {
    words: TextAnalyzer,
}

impl Analyzer {
    /// The analyzer for unstemmed words and for the repair of spelling: words in lower case without
    /// accents.
    pub(crate) fn surface() -> Self {
        let words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(LowerCaser)
            .filter(AsciiFoldingFilter)
            .build();
        Self { words }
    }

    /// The terms of a text in order, with repetitions.
    pub(crate) fn terms(&self, text: &str) -> Vec<String> {
        let text: String = text.chars().filter(|c| !is_ignorable(*c)).nfkc().collect();
        let mut words = self.words.clone();
        let mut out = Vec::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let kind = Kind::of(first);
            let end = rest.find(|c| Kind::of(c) != kind).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            match kind {
                Kind::Pairs => push_pairs(run, &mut out),
                Kind::Pictographs => out.extend(run.chars().map(String::from)),
                Kind::Words => push_words(run, &mut words, &mut out),
            }
            rest = after;
        }
        out
    }
}

/// How a run of characters becomes terms.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Words,
    Pairs,
    Pictographs,
}

impl Kind {
    fn of(c: char) -> Self {
        if is_spaceless(c) || is_hangul(c) {
            Self::Pairs
        } else if is_pictograph(c) {
            Self::Pictographs
        } else {
            Self::Words
        }
    }
}

fn push_pairs(run: &str, out: &mut Vec<String>) {
    let chars: Vec<char> = run.chars().collect();
    if chars.len() == 1 {
        out.push(run.to_owned());
    }
    out.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
}

fn push_words(run: &str, words: &mut TextAnalyzer, out: &mut Vec<String>) {
    let mut rest = 0;
    while let Some(from) = run[rest..].find(char::is_alphanumeric).map(|at| rest + at) {
        let length = run[from..].find(|c: char| !c.is_alphanumeric());
        let to = length.map_or(run.len(), |length| from + length);
        let word = &run[from..to];
        if word.len() > LONGEST_STEMMED {
            out.push(word.chars().flat_map(char::to_lowercase).take(LONGEST_TERM).collect());
        } else {
            let mut stream = words.token_stream(word);
            while stream.advance() {
                out.push(stream.token().text.clone());
            }
        }
        out.extend(signed_name(run, from..to));
        rest = to;
    }
}

/// A name with its sign: `c++`, `c#`, `.net`. `None` for a word without a sign.
fn signed_name(text: &str, range: Range<usize>) -> Option<String> {
    let (before, word, after) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let signs = after.len() - after.trim_start_matches(['+', '#']).len();
    let is_end = after[signs..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    if (1..=2).contains(&signs) && is_end {
        return Some(word.to_lowercase() + &after[..signs]);
    }
    let is_start = before
        .strip_suffix('.')
        .is_some_and(|b| b.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '('));
    let is_name = word.starts_with(char::is_alphabetic);
    (is_start && is_name).then(|| format!(".{}", word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmed(language: Lang, text: &str) -> Vec<String> {
        let analysis = Analysis { language, ..Analysis::default() };
        analysis.analyzer().terms(text)
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
            analysis.without_stop_words().map(|analyzer| analyzer.terms(text)).unwrap_or_default()
        };
        assert_eq!(without(Lang::En, "The past of the verbs"), ["past", "verb"]);
        assert_eq!(without(Lang::Es, "Los días de la semana"), ["dias", "seman"]);
        assert!(Analysis::default().without_stop_words().is_none());
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

    #[test]
    fn scripts_without_spaces_are_pairs_of_characters() {
        assert_eq!(stemmed(Lang::Other, "退货期限 30 天"), ["退货", "货期", "期限", "30", "天"]);
        assert_eq!(stemmed(Lang::Other, "서울에"), ["서울", "울에"]);
        assert_eq!(stemmed(Lang::Other, "ร\u{e31}บ"), ["ร\u{e31}", "\u{e31}บ"]);
        assert_eq!(stemmed(Lang::En, "GPT模型"), ["gpt", "模型"]);
    }

    #[test]
    fn widths_invisible_characters_and_pictographs() {
        assert_eq!(stemmed(Lang::En, "ＵＳＢ３ co\u{ad}op"), ["usb3", "coop"]);
        assert_eq!(stemmed(Lang::Other, "ｵｰﾀﾞｰ"), stemmed(Lang::Other, "オーダー"));
        assert_eq!(stemmed(Lang::En, "party🎉❤\u{fe0f}"), ["parti", "🎉", "❤"]);
    }

    #[test]
    fn a_sign_makes_a_second_term() {
        assert_eq!(stemmed(Lang::Other, "C++, C# and C"), ["c", "c++", "c", "c#", "and", "c"]);
        assert_eq!(stemmed(Lang::Other, "use .NET. End"), ["use", "net", ".net", "end"]);
        assert_eq!(stemmed(Lang::Other, "1+1 #tag end."), ["1", "1", "tag", "end"]);
    }

    #[test]
    fn a_word_without_end_costs_no_more_than_its_length() {
        let terms = stemmed(Lang::En, &"y".repeat(2_000_000));
        assert_eq!((terms.len(), terms[0].len()), (1, LONGEST_TERM));
    }
}
