//! Quotations: where they are in a text, and the shortest one that is unique in it.
//!
//! Three comparisons are available: with white space folded ([`locate_quote`]), by letters and
//! digits alone ([`locate_letters`]), and literally between word borders ([`word_matches`]). For
//! texts of unknown markup see [`LooseText`](crate::LooseText).

use std::ops::Range;

use thiserror::Error;
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use crate::{SentenceRules, is_ignorable, sentences};

/// Why a quotation has no unique place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QuoteError {
    /// The quotation is blank.
    #[error("the quote is empty")]
    Empty,
    /// The document does not contain it.
    #[error("the quote does not occur in the document")]
    Missing,
    /// The document contains it more than once.
    #[error("the quote occurs {0} times in the document; quote more of it")]
    Repeated(usize),
}

/// The characters of a text in the form that is compared, each with the bytes it comes from.
type Folded = Vec<(char, Range<usize>)>;

/// Byte range of the only occurrence of `quote` in `text`, after NFC, without invisible characters,
/// and with every run of white space folded to a blank.
///
/// # Errors
/// When the quote is blank or does not occur exactly once.
pub fn locate_quote(text: &str, quote: &str) -> Result<Range<usize>, QuoteError> {
    let needle: Vec<char> = fold_space(quote.trim()).into_iter().map(|(c, _)| c).collect();
    if needle.is_empty() {
        return Err(QuoteError::Empty);
    }
    let folded = fold_space(text);
    let mut places = occurrences(&folded, &needle);
    match (places.next(), places.count()) {
        (None, _) => Err(QuoteError::Missing),
        (Some(place), 0) => Ok(place),
        (Some(_), more) => Err(QuoteError::Repeated(1 + more)),
    }
}

/// Byte range of the first occurrence of `quote` in `text[from..]`, comparing only letters and
/// digits: a quotation of Markdown is found in plain text. The range extends over punctuation
/// after the last letter that both texts share.
pub fn locate_letters(text: &str, quote: &str, from: usize) -> Option<Range<usize>> {
    let found = find(&letters(text), &only_letters(quote), from)?;
    let tail = quote[quote.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..].chars();
    let tail = tail.filter(|c| !"*_`".contains(*c));
    let shared = tail
        .zip(text[found.end..].chars())
        .take_while(|(a, b)| a == b)
        .map(|(c, _)| c.len_utf8())
        .sum::<usize>();
    Some(found.start..found.end + shared)
}

/// As [`locate_letters`]. If the text contains only a part of the quotation, returns the longest
/// start or end of it that has at least half of its letters.
pub fn locate_part(text: &str, quote: &str) -> Option<Range<usize>> {
    if let Some(whole) = locate_letters(text, quote, 0) {
        return Some(whole);
    }
    let text = letters(text);
    let quote = only_letters(quote);
    let half = quote.len().div_ceil(2).max(1);
    (half..=quote.len()).rev().find_map(|length| {
        let start = find(&text, &quote[..length], 0);
        start.or_else(|| find(&text, &quote[quote.len() - length..], 0))
    })
}

/// Byte ranges where `needle` occurs literally and no letter or digit precedes or follows it.
pub fn word_matches<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = Range<usize>> {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let matches = text.match_indices(needle);
    let ranges = matches.map(|(at, found)| at..at + found.len());
    ranges.filter(move |r| {
        !r.is_empty()
            && is_border(text[..r.start].chars().next_back())
            && is_border(text[r.end..].chars().next())
    })
}

/// The sentence of `body` that contains `span`, extended by neighbouring sentences until it is
/// unique in `text`, with white space folded. Returns `None` if even the whole body is not unique.
///
/// Every stop ends a sentence here ([`SentenceRules::EveryStop`]). A quotation may therefore be
/// short, but it always contains the span.
pub fn quote_for(text: &str, body: Range<usize>, span: Range<usize>) -> Option<String> {
    let sentences = sentences(text, body, SentenceRules::EveryStop);
    let last = sentences.len().checked_sub(1)?;
    let containing = |at: usize| sentences.partition_point(|s| s.start < at).saturating_sub(1);
    let mut from = containing(span.start + 1);
    let mut to = containing(span.end).max(from);
    loop {
        let quote = fold_white_space(&text[sentences[from].start..sentences[to].end]);
        if locate_quote(text, &quote).is_ok() {
            return Some(quote);
        }
        if to < last {
            to += 1;
        } else if from > 0 {
            from -= 1;
        } else {
            return None;
        }
    }
}

/// The text with every run of white space folded to a blank, without white space at its ends.
pub fn fold_white_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// NFC without invisible characters, and with white space folded to one blank.
fn fold_space(text: &str) -> Folded {
    let mut out: Folded = Vec::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        // A cluster: a starter and the marks that follow it, which NFC may join.
        let mut end = start + c.len_utf8();
        while let Some(&(at, mark)) = chars.peek() {
            if canonical_combining_class(mark) == 0 {
                break;
            }
            end = at + mark.len_utf8();
            chars.next();
        }
        for c in text[start..end].nfc().filter(|c| !is_ignorable(*c)) {
            if !c.is_whitespace() {
                out.push((c, start..end));
            } else if let Some((' ', range)) = out.last_mut() {
                range.end = end;
            } else {
                out.push((' ', start..end));
            }
        }
    }
    out
}

fn letters(text: &str) -> Folded {
    let chars = text.char_indices().filter(|(_, c)| c.is_alphanumeric());
    chars.map(|(at, c)| (c, at..at + c.len_utf8())).collect()
}

fn only_letters(text: &str) -> Vec<char> {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The first occurrence of characters that starts at byte `from` or later.
fn find(text: &[(char, Range<usize>)], needle: &[char], from: usize) -> Option<Range<usize>> {
    if needle.is_empty() {
        return None;
    }
    occurrences(text, needle).find(|place| place.start >= from)
}

/// Byte ranges of all occurrences of characters, including overlapping ones.
///
/// # Panics
/// If `needle` is empty.
fn occurrences<'a>(
    text: &'a [(char, Range<usize>)],
    needle: &'a [char],
) -> impl Iterator<Item = Range<usize>> {
    text.windows(needle.len())
        .filter(move |window| window.iter().zip(needle).all(|((a, _), b)| a == b))
        .map(|window| window[0].1.start..window[window.len() - 1].1.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_composition_do_not_matter() {
        let text = "The cafe\u{301} is\r\n  open.";
        let span = locate_quote(text, "café is open").unwrap();
        assert_eq!(&text[span], "cafe\u{301} is\r\n  open");
    }

    #[test]
    fn a_quote_must_occur_exactly_once() {
        assert_eq!(locate_quote("aaa", "aa"), Err(QuoteError::Repeated(2)));
        assert_eq!(locate_quote("abc", "x"), Err(QuoteError::Missing));
        assert_eq!(locate_quote("abc", " \n"), Err(QuoteError::Empty));
        assert_eq!(locate_quote("abc", "b"), Ok(1..2));
    }

    #[test]
    fn markup_does_not_matter_to_letters() {
        let text = "Eat: The past of eat is ate (comí).";
        let found = |quote, from| locate_letters(text, quote, from).map(|range| &text[range]);
        assert_eq!(found("past\nof *eat* is *ate*", 0), Some("past of eat is ate"));
        assert_eq!(found("ate (*comí*).", 0), Some("ate (comí)."));
        assert_eq!(found("past", 10), None);
        assert_eq!(found("**", 0), None);
    }

    #[test]
    fn a_cut_quotation_is_found_by_its_longer_part() {
        for (text, quote, expected) in [
            ("is ate. Next", "The past is ate.", None),
            ("past is ate. Next", "The past is ate.", Some(0..11)),
            ("Before. The past is", "The past is ate", Some(8..19)),
        ] {
            assert_eq!(locate_part(text, quote), expected);
        }
    }

    #[test]
    fn a_word_is_not_a_part_of_another() {
        let starts: Vec<usize> = word_matches("eaten, ate", "ate").map(|r| r.start).collect();
        assert_eq!(starts, [7]);
        assert_eq!(word_matches("x", "").count(), 0);
    }

    #[test]
    fn a_quote_is_the_sentence_or_as_many_as_are_unique() {
        let quote = |text: &str, words: &str| {
            let at = text.rfind(words).unwrap();
            quote_for(text, 0..text.len(), at..at + words.len())
        };
        let text = "One is here. Two is\nthere (yes!) Three, at last";
        for (text, words, expected) in [
            (text, "there", "Two is there (yes!)"),
            (text, "last", "Three, at last"),
            (text, "here. Two", "One is here. Two is there (yes!)"),
            ("天气很好。他来了。", "他", "他来了。"),
            ("# Head\n\nBody here", "Body", "Body here"),
            ("Yes. A. Yes. B.", "Yes", "Yes. B."),
            ("B. Yes. A. Yes.", "Yes", "A. Yes."),
            ("Yes.", "Yes", "Yes."),
        ] {
            assert_eq!(quote(text, words).as_deref(), Some(expected), "{text}");
        }
        let twice = "---\nYes.\n---\nYes.";
        assert_eq!(quote_for(twice, 13..17, 13..16), None);
    }
}
