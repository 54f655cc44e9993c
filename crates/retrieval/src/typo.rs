//! Spelling correction against the words of the index.

use std::{cmp::Reverse, collections::BTreeMap};

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;

use crate::{Bm25, analyze::Analyzer};

/// Minimum length of a word to correct. Shorter words have too many neighbours.
const SHORTEST: usize = 4;
/// Minimum length of a word for which two edits are allowed instead of one.
const TWO_EDITS: usize = 8;

/// The words of the index, in lower case without accents, with their frequencies.
pub(crate) struct Vocabulary(BTreeMap<String, usize>);

impl Vocabulary {
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let analyzer = Analyzer::surface();
        let mut words = BTreeMap::new();
        for text in texts {
            for word in analyzer.terms(text) {
                *words.entry(word).or_insert(0) += 1;
            }
        }
        Self(words)
    }

    /// Replaces each unknown word of a question by the known word with the smallest
    /// optimal-string-alignment distance (insertions, deletions, substitutions and swaps of
    /// neighbours; Damerau, 1964); among equally near words by the most frequent. A word is known
    /// if the index contains it or its stem, or if `is_word` accepts it. Words with digits are
    /// never replaced.
    pub(crate) fn correct(
        &self,
        question: &str,
        bm25: &Bm25,
        is_word: &dyn Fn(&str) -> bool,
    ) -> String {
        let composed: String = question.nfc().collect();
        let is_separator = |c: char| !c.is_alphanumeric();
        let mut out = String::with_capacity(composed.len());
        for piece in composed.split_inclusive(is_separator) {
            let word = piece.trim_end_matches(is_separator);
            out.push_str(self.nearest(word, bm25, is_word).unwrap_or(word));
            out.push_str(&piece[word.len()..]);
        }
        out
    }

    /// The correction of a word; `None` if it is known, or no known word is near.
    fn nearest(&self, word: &str, bm25: &Bm25, is_word: &dyn Fn(&str) -> bool) -> Option<&str> {
        let folded = Analyzer::surface().terms(word).concat();
        let length = folded.chars().count();
        if length < SHORTEST || folded.chars().any(|c| c.is_numeric()) {
            return None;
        }
        let stem_known = |term: &String| bm25.texts_with(term) > 0;
        if self.0.contains_key(&folded)
            || bm25.terms(word).iter().any(stem_known)
            || is_word(&folded)
        {
            return None;
        }
        let edits = if length >= TWO_EDITS { 2 } else { 1 };
        let candidates = self.0.iter().filter_map(|(known, &count)| {
            let is_near = known.chars().count().abs_diff(length) <= edits;
            let distance = is_near.then(|| osa_distance(&folded, known))?;
            (distance <= edits).then_some((distance, Reverse(count), known.as_str()))
        });
        candidates.min().map(|(_, _, known)| known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analysis;

    #[test]
    fn unknown_words_are_corrected_and_the_rest_is_left() {
        let texts = [
            "The past participle of eat",
            "participles of irregular verbs",
            "canción y vacaciones",
        ];
        let bm25 = Bm25::build(texts.map(|t| ("", t)), Analysis::default()).expect("index");
        let words = Vocabulary::new(texts);
        let correct = |q: &str| words.correct(q, &bm25, &|word| word == "giggled");
        assert_eq!(
            correct("What's the pats partciple of EAT?"),
            "What's the past participle of EAT?"
        );
        assert_eq!(correct("vacasiones, cancon"), "vacaciones, cancion");
        assert_eq!(
            correct("giggled eating vreb x1234"),
            "giggled eating vreb x1234",
            "a word, a known stem, too far, a code"
        );
    }
}
