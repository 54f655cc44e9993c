//! Clauses of a sentence, and the smaller segments that a negation governs.

use std::ops::Range;

use fiel_text::{Lang, trim_punctuation};

use crate::answer::content_words;

/// Words that start a clause after a comma, and whether they also start one without a comma.
#[rustfmt::skip]
const OPENERS: &[(&str, bool)] = &[
    ("although", true), ("and", false), ("aunque", true), ("because", true), ("but", true),
    ("e", false), ("mientras", true), ("nor", false), ("or", false), ("pero", true),
    ("porque", true), ("sino", true), ("so", false), ("whereas", true), ("which", false),
    ("while", true), ("y", false),
];

/// Words that start a segment.
#[rustfmt::skip]
const SEPARATORS: &[&str] = &[
    "although", "and", "aunque", "because", "but", "e", "mientras", "ni", "nor", "o", "or", "pero",
    "porque", "sino", "so", "u", "unlike", "whereas", "which", "while", "y",
];

/// The clauses of a sentence, split at semicolons, spaced dashes, commas before a conjunction, and
/// conjunctions that start a clause without a comma.
///
/// A clause has at least two content words; a shorter piece is part of the clause before it.
pub(super) fn clauses(sentence: &str, lang: Lang) -> Vec<Range<usize>> {
    let cuts = cuts(sentence, |mark, word| match mark {
        Some(';' | '—' | '–') => true,
        Some(',') => OPENERS.iter().any(|&(opener, _)| opener == word),
        Some(_) => false,
        None => OPENERS.iter().any(|&(opener, alone)| alone && opener == word),
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

/// The segments of a sentence, split at every punctuation mark and conjunction.
pub(crate) fn segments(sentence: &str) -> Vec<Range<usize>> {
    let mut bounds = vec![0];
    bounds.extend(cuts(sentence, |mark, word| mark.is_some() || SEPARATORS.contains(&word)));
    bounds.push(sentence.len());
    bounds.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Byte positions of the words before which the sentence is split. `is_cut` gets the punctuation
/// mark before a word, if any, and the word in lower case.
fn cuts(sentence: &str, is_cut: impl Fn(Option<char>, &str) -> bool) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut mark = None;
    let mut first = true;
    for piece in sentence.split_whitespace() {
        // An opening bracket splits before itself, any other mark after itself.
        if piece.starts_with('(') {
            mark = Some('(');
        }
        let word = trim_punctuation(piece).to_lowercase();
        if !first && !word.is_empty() && is_cut(mark, &word) {
            // `piece` is a part of `sentence`, so the difference of addresses is its offset.
            cuts.push(piece.as_ptr() as usize - sentence.as_ptr() as usize);
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
            let lang = if sentence.starts_with("El") { Lang::Es } else { Lang::En };
            assert_eq!(cut(sentence, clauses(sentence, lang)), expected);
        }
    }

    #[test]
    fn segments_are_finer() {
        let sentence = "The form is eaten, not eated (never ate) and regular";
        let expected = ["The form is eaten,", "not eated", "(never ate)", "and regular"];
        assert_eq!(cut(sentence, segments(sentence)), expected);
    }
}
