//! Clauses of a sentence, and the finer segments a negation governs.

use std::ops::Range;

use super::support::content_words;
use crate::Lang;

/// Words that open a clause after a comma, with whether they do so without one.
#[rustfmt::skip]
const OPENERS: &[(&str, bool)] = &[
    ("although", true), ("and", false), ("aunque", true), ("because", true), ("but", true),
    ("e", false), ("mientras", true), ("nor", false), ("or", false), ("pero", true),
    ("porque", true), ("sino", true), ("so", false), ("whereas", true), ("which", false),
    ("while", true), ("y", false),
];

/// Words that separate segments.
#[rustfmt::skip]
const SEPARATORS: &[&str] = &[
    "although", "and", "aunque", "because", "but", "e", "mientras", "ni", "nor", "o", "or", "pero",
    "porque", "sino", "so", "u", "unlike", "whereas", "which", "while", "y",
];

/// Clauses of a sentence: cut at semicolons, spaced dashes, a comma before a
/// conjunction, and conjunctions that open a clause by themselves.
///
/// A clause has two content words or more; shorter pieces stay with the one before.
pub(super) fn clauses(sentence: &str, lang: Lang) -> Vec<Range<usize>> {
    let cuts = cuts(sentence, |mark, word| match mark {
        Some(';' | '—' | '–') => true,
        Some(',') => OPENERS.iter().any(|&(opener, _)| opener == word),
        Some(_) => false,
        None => OPENERS
            .iter()
            .any(|&(opener, alone)| alone && opener == word),
    });
    let enough = |range: Range<usize>| content_words(&sentence[range], lang).len() >= 2;
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for cut in cuts {
        if enough(start..cut) && enough(cut..sentence.len()) {
            found.push(start..cut);
            start = cut;
        }
    }
    found.push(start..sentence.len());
    found
}

/// Segments of a sentence: cut at every mark and conjunction.
pub(super) fn segments(sentence: &str) -> Vec<Range<usize>> {
    let cuts = cuts(sentence, |mark, word| {
        mark.is_some() || SEPARATORS.contains(&word)
    });
    let mut found = Vec::with_capacity(cuts.len() + 1);
    let mut start = 0;
    for cut in cuts {
        found.push(start..cut);
        start = cut;
    }
    found.push(start..sentence.len());
    found
}

/// Byte positions at which a word begins that `is_cut` cuts before, given the
/// mark before the word, if any, and the word in lower case.
fn cuts(sentence: &str, is_cut: impl Fn(Option<char>, &str) -> bool) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut mark = None;
    let mut first = true;
    for (at, piece) in pieces(sentence) {
        // Brackets cut on the side they stand on; other marks cut after themselves.
        if piece.starts_with('(') {
            mark = Some('(');
        }
        let word: String = piece
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        if !first && !word.is_empty() && is_cut(mark, &word) {
            cuts.push(at);
        }
        first &= word.is_empty();
        if !word.is_empty() || mark.is_none() {
            mark = piece
                .chars()
                .next_back()
                .filter(|c| matches!(c, ',' | ';' | ':' | ')' | '—' | '–'));
        }
    }
    cuts
}

/// Pieces between white space with their positions.
fn pieces(sentence: &str) -> impl Iterator<Item = (usize, &str)> {
    sentence
        .split_whitespace()
        .map(move |piece| (piece.as_ptr() as usize - sentence.as_ptr() as usize, piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(sentence: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|r| sentence[r].trim()).collect()
    }

    #[test]
    fn clauses_hold_two_content_words() {
        for (sentence, expected) in [
            (
                "The past is bought, and the participle is bought too.",
                vec!["The past is bought,", "and the participle is bought too."],
            ),
            ("bought and brought", vec!["bought and brought"]),
            ("eat, ate, and eaten", vec!["eat, ate, and eaten"]),
            (
                "The limit is 30 days; the fee is 1,000 euros — members pay nothing extra",
                vec![
                    "The limit is 30 days;",
                    "the fee is 1,000 euros —",
                    "members pay nothing extra",
                ],
            ),
            (
                "El límite es corto pero la tarifa es baja",
                vec!["El límite es corto", "pero la tarifa es baja"],
            ),
        ] {
            let lang = if sentence.starts_with("El") {
                Lang::Es
            } else {
                Lang::En
            };
            assert_eq!(cut(sentence, clauses(sentence, lang)), expected);
        }
    }

    #[test]
    fn segments_are_finer() {
        let sentence = "The form is eaten, not eated (never ate) and regular";
        let expected = [
            "The form is eaten,",
            "not eated",
            "(never ate)",
            "and regular",
        ];
        assert_eq!(cut(sentence, segments(sentence)), expected);
    }
}
