//! From chunks to a measured list: when a chunk finds a span, and which items it contributes.

use std::ops::Range;

use super::RankingError;

/// An item of the measured list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredItem {
    /// Rank of the chunk that contributes it, from 1.
    pub rank: u32,
    /// Index of the evidence group found here, from 0; `None` for a chunk that is not relevant.
    pub group: Option<usize>,
}

/// Returns the measured list of chunks in rank order. `chunks[i]` are the evidence groups that
/// the chunk at rank i + 1 finds, numbered from 0.
///
/// A chunk contributes the groups that are not in the list yet, in the given order and all at its
/// own rank. A chunk without such a group contributes itself as an item that is not relevant.
///
/// # Errors
/// If a chunk finds a group outside `0..groups`.
pub fn measured_list(
    chunks: &[Vec<usize>],
    groups: usize,
) -> Result<Vec<MeasuredItem>, RankingError> {
    let mut seen = vec![false; groups];
    let mut list = Vec::with_capacity(chunks.len());
    for (rank, found) in (1..).zip(chunks) {
        let before = list.len();
        for &group in found {
            let seen = seen.get_mut(group).ok_or(RankingError { rank, group, groups })?;
            if !std::mem::replace(seen, true) {
                list.push(MeasuredItem { rank, group: Some(group) });
            }
        }
        if list.len() == before {
            list.push(MeasuredItem { rank, group: None });
        }
    }
    Ok(list)
}

/// Returns whether a chunk finds a span: it holds at least half of the span's characters that are
/// not white space. See [`span_overlap`].
pub fn finds(document: &str, chunk: Range<usize>, span: Range<usize>) -> bool {
    let (inside, total) = span_overlap(document, chunk, span);
    total > 0 && 2 * inside >= total
}

/// Returns how many of a span's characters that are not white space a chunk holds, and how many there
/// are.
///
/// Both ranges are bytes of the document. A span that exceeds the document or cuts a character is
/// narrowed to whole characters. No chunk finds a blank span.
pub fn span_overlap(document: &str, chunk: Range<usize>, span: Range<usize>) -> (usize, usize) {
    let end = document.floor_char_boundary(span.end);
    let start = document.ceil_char_boundary(span.start).min(end);
    let (mut total, mut inside) = (0usize, 0usize);
    for (offset, c) in document[start..end].char_indices() {
        if !c.is_whitespace() {
            total += 1;
            inside += usize::from(chunk.contains(&(start + offset)));
        }
    }
    (inside, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_characters_that_are_not_white_space() {
        let text = "ab    cdé f";
        let span = 0..text.len();
        assert!(finds(text, 0..7, span.clone())); // a b c of a b c d é f
        assert!(!finds(text, 0..6, span.clone())); // a b
        assert!(finds(text, 7..text.len(), span.clone())); // d é f
        assert!(!finds(text, 2..6, 2..6)); // white space alone
        assert!(!finds(text, 0..2, 3..3));
    }

    #[test]
    fn ranges_that_do_not_fit_do_not_panic() {
        let text = "é";
        assert!(!finds(text, 0..1, 1..1));
        assert!(!finds(text, 0..9, 1..9));
        assert!(finds(text, 0..9, 0..9));
        #[expect(clippy::reversed_empty_ranges)]
        let reversed = 2..0;
        assert!(!finds(text, 0..2, reversed));
    }

    #[test]
    fn spans_are_listed_once() {
        let list = measured_list(&[vec![0, 1], vec![1], vec![], vec![2, 1]], 3).unwrap();
        let entries: Vec<_> = list.iter().map(|item| (item.rank, item.group)).collect();
        let expected = [(1, Some(0)), (1, Some(1)), (2, None), (3, None), (4, Some(2))];
        assert_eq!(entries, expected);
    }
}
