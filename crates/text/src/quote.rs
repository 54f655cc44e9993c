//! Quotations in a text.

use std::ops::Range;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// Why a quotation has no place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QuoteError {
    /// Nothing to look for.
    #[error("the quote is empty")]
    Empty,
    /// It does not occur.
    #[error("the quote does not occur in the document")]
    Missing,
    /// It occurs more than once.
    #[error("the quote occurs {0} times in the document; quote more of it")]
    Repeated(usize),
}

/// Bytes of `text` where `quote` stands, after NFC and with any run of white space equal to any
/// other.
///
/// # Errors
/// When it does not stand there exactly once.
pub fn locate_quote(text: &str, quote: &str) -> Result<Range<usize>, QuoteError> {
    let needle: String = fold(quote).into_iter().map(|(c, _)| c).collect();
    let needle = needle.trim();
    if needle.is_empty() {
        return Err(QuoteError::Empty);
    }
    let folded = fold(text);
    let hay: String = folded.iter().map(|&(c, _)| c).collect();
    // Overlapping occurrences count too, so step by one character and not by a match.
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = hay[from..].find(needle) {
        found.push(from + at);
        from += at + hay[from + at..].chars().next().map_or(1, char::len_utf8);
    }
    match found[..] {
        [] => Err(QuoteError::Missing),
        [at] => {
            let first = hay[..at].chars().count();
            let last = first + needle.chars().count() - 1;
            Ok(folded[first].1.start..folded[last].1.end)
        }
        _ => Err(QuoteError::Repeated(found.len())),
    }
}

/// NFC characters with the bytes of the source each stands for; white space folded to one blank.
fn fold(text: &str) -> Vec<(char, Range<usize>)> {
    let mut out: Vec<(char, Range<usize>)> = Vec::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        // A cluster: a starter and the marks that follow it, which NFC may join.
        let mut end = start + c.len_utf8();
        while let Some(&(at, mark)) = chars.peek() {
            if unicode_normalization::char::canonical_combining_class(mark) == 0 {
                break;
            }
            end = at + mark.len_utf8();
            chars.next();
        }
        for c in text[start..end].nfc() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_composition_do_not_matter() {
        let text = "The cafe\u{301} is\r\n  open.";
        let span = locate_quote(text, "café is open").expect("found");
        assert_eq!(&text[span], "cafe\u{301} is\r\n  open");
    }

    #[test]
    fn a_quote_must_occur_exactly_once() {
        assert_eq!(locate_quote("aaa", "aa"), Err(QuoteError::Repeated(2)));
        assert_eq!(locate_quote("abc", "x"), Err(QuoteError::Missing));
        assert_eq!(locate_quote("abc", " \n"), Err(QuoteError::Empty));
        assert_eq!(locate_quote("abc", "b"), Ok(1..2));
    }
}
