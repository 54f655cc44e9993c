use std::collections::BTreeMap;

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;

use crate::{
    Bm25,
    analyze::{surface, terms},
};

/// Words shorter than this are not repaired: too many are near them.
const SHORTEST: usize = 4;
/// From this length on two edits are forgiven, else one.
const TWO_EDITS: usize = 8;

/// The words that the index holds, in lower case without accents, and how often.
pub(crate) struct Vocabulary {
    words: BTreeMap<String, usize>,
}

impl Vocabulary {
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut analyzer = surface();
        let mut words = BTreeMap::new();
        for text in texts {
            for word in terms(&mut analyzer, text) {
                *words.entry(word).or_insert(0) += 1;
            }
        }
        Self { words }
    }

    /// The question with its unknown words repaired: each by the known word at the least
    /// optimal-string-alignment distance (insertions, deletions, substitutions and swaps of
    /// neighbours; Damerau, 1964), the more frequent of equally near ones. A word is known when
    /// the index holds it or its stem, or `is_word` says so. Words with digits stay.
    pub(crate) fn repair(
        &self,
        question: &str,
        bm25: &Bm25,
        is_word: &dyn Fn(&str) -> bool,
    ) -> String {
        let composed: String = question.nfc().collect();
        let mut out = String::with_capacity(composed.len());
        let mut word = String::new();
        let flush = |word: &mut String, out: &mut String| {
            if !word.is_empty() {
                out.push_str(self.nearest(word, bm25, is_word).unwrap_or(word));
                word.clear();
            }
        };
        for c in composed.chars() {
            if c.is_alphanumeric() {
                word.push(c);
            } else {
                flush(&mut word, &mut out);
                out.push(c);
            }
        }
        flush(&mut word, &mut out);
        out
    }

    fn nearest(&self, word: &str, bm25: &Bm25, is_word: &dyn Fn(&str) -> bool) -> Option<&str> {
        let folded = terms(&mut surface(), word).concat();
        let length = folded.chars().count();
        if length < SHORTEST || folded.chars().any(|c| c.is_numeric()) {
            return None;
        }
        let stem_known = |term: &String| bm25.texts_with(term) > 0;
        if self.words.contains_key(&folded)
            || bm25.terms(word).iter().any(stem_known)
            || is_word(&folded)
        {
            return None;
        }
        let edits = if length >= TWO_EDITS { 2 } else { 1 };
        let candidates = self.words.iter().filter_map(|(known, &count)| {
            let near = known.chars().count().abs_diff(length) <= edits;
            let distance = near.then(|| osa_distance(&folded, known))?;
            (distance <= edits).then_some((distance, count, known.as_str()))
        });
        candidates
            .min_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(b.2)))
            .map(|(_, _, known)| known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analysis;

    #[test]
    fn unknown_words_are_repaired_and_the_rest_is_left() {
        let texts = [
            "The past participle of eat",
            "participles of irregular verbs",
            "canción y vacaciones",
        ];
        let bm25 = Bm25::build(texts.map(|t| ("", t)), Analysis::default()).expect("index");
        let words = Vocabulary::new(texts);
        let repair = |q: &str| words.repair(q, &bm25, &|word| word == "giggled");
        assert_eq!(
            repair("What's the pats partciple of EAT?"),
            "What's the past participle of EAT?"
        );
        assert_eq!(repair("vacasiones, cancon"), "vacaciones, cancion");
        assert_eq!(
            repair("giggled eating vreb x1234"),
            "giggled eating vreb x1234",
            "a word, a known stem, too far, a code"
        );
    }
}
