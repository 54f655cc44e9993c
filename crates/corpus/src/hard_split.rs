//! Pieces of a sentence that is longer than a chunk.

use std::ops::Range;

/// Cuts a range that is too long at white space, or else between characters, so that every piece
/// has at most `size` tokens according to `tokens`; a piece of one character may have more. White
/// space at a cut belongs to no piece.
pub(crate) fn hard_split(
    text: &str,
    range: Range<usize>,
    size: usize,
    tokens: &dyn Fn(Range<usize>) -> usize,
) -> Vec<Range<usize>> {
    if tokens(range.clone()) <= size {
        return vec![range];
    }
    let piece = &text[range.clone()];
    let middle = piece.len() / 2;
    let nearest = |is_cut: &dyn Fn(char) -> bool| {
        piece
            .char_indices()
            .filter(|&(at, c)| at > 0 && is_cut(c))
            .map(|(at, _)| at)
            .min_by_key(|at| at.abs_diff(middle))
    };
    let Some(cut) = nearest(&char::is_whitespace).or_else(|| nearest(&|_| true)) else {
        return vec![range];
    };
    let mut out = hard_split(text, range.start..range.start + cut, size, tokens);
    let rest = piece[cut..].trim_start();
    if !rest.is_empty() {
        let rest = range.end - rest.len()..range.end;
        out.extend(hard_split(text, rest, size, tokens));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_split_never_cuts_a_character() {
        let text = "天气很好天气很好";
        let pieces = hard_split(text, 0..text.len(), 3, &|r| text[r].chars().count());
        assert!(pieces.len() > 2);
        assert_eq!(pieces.iter().map(|r| &text[r.clone()]).collect::<String>(), text);
    }
}
