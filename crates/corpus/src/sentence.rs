use std::ops::Range;

/// Byte ranges of the sentences of `text`, which is a piece of one paragraph. A boundary is a
/// full stop, question or exclamation mark followed by white space and something that can start
/// a sentence; an abbreviation does not matter here, for a chunk may begin anywhere.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    let mut after_stop = false;
    while let Some((at, c)) = chars.next() {
        if matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？') {
            after_stop = true;
        } else if after_stop && matches!(c, '"' | '\'' | '*' | '_' | '`' | ')' | '»' | '”' | '’')
        {
            // Closing marks belong to the sentence.
        } else if c.is_whitespace() {
            let next = chars.peek().map(|&(_, n)| n);
            let starts = next.is_some_and(|n| !n.is_whitespace() && !n.is_lowercase());
            if after_stop && starts {
                out.push(start..at);
                start = at + c.len_utf8();
                after_stop = false;
            }
        } else {
            after_stop = false;
        }
    }
    if start < text.len() {
        out.push(start..text.len());
    }
    out
}

/// Cuts a range that is too long at white space, else between characters, so that every piece
/// has at most `size` tokens by `count` (a single character always stands alone).
pub(crate) fn hard_split(
    text: &str,
    range: Range<usize>,
    size: usize,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Range<usize>> {
    if count(&text[range.clone()]) <= size {
        return vec![range];
    }
    let piece = &text[range.clone()];
    let middle = piece.len() / 2;
    let cut = piece
        .char_indices()
        .filter(|&(at, c)| at > 0 && c.is_whitespace())
        .min_by_key(|&(at, _)| at.abs_diff(middle))
        .map(|(at, _)| at)
        .or_else(|| {
            piece
                .char_indices()
                .map(|(at, _)| at)
                .filter(|&at| at > 0)
                .min_by_key(|at| at.abs_diff(middle))
        });
    let Some(cut) = cut else { return vec![range] };
    let mut out = hard_split(text, range.start..range.start + cut, size, count);
    out.extend(hard_split(text, range.start + cut..range.end, size, count));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn splits_after_closing_marks_and_not_in_numbers() {
        assert_eq!(
            split("It is 3.5 m. \"Really?\" Yes!"),
            ["It is 3.5 m.", "\"Really?\"", "Yes!"]
        );
        assert_eq!(
            split("¿Qué? Él vino. Así es"),
            ["¿Qué?", "Él vino.", "Así es"]
        );
        assert_eq!(split(""), [""; 0]);
    }

    #[test]
    fn hard_split_never_cuts_a_character() {
        let text = "天气很好天气很好";
        let pieces = hard_split(text, 0..text.len(), 3, &|t| t.chars().count());
        assert!(pieces.len() > 2);
        assert_eq!(
            pieces.iter().map(|r| &text[r.clone()]).collect::<String>(),
            text
        );
    }
}
