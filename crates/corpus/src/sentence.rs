use std::ops::Range;

/// Byte ranges of the sentences of `text`, which is a piece of one paragraph. A boundary is a
/// full stop, question or exclamation mark followed by white space and something that can start
/// a sentence, unless the full stop is that of an abbreviation. A Chinese or Japanese one needs no
/// white space.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    let mut stop = None;
    while let Some((at, c)) = chars.next() {
        if matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？') {
            stop = Some(c);
        } else if stop.is_some() && CLOSING.contains(&c) {
            // Closing marks belong to the sentence.
        } else if c.is_whitespace() {
            let next = chars.peek().map(|&(_, n)| n);
            let starts = next.is_some_and(|n| {
                let can = !n.is_whitespace() && !n.is_lowercase();
                can && !is_abbreviated(&text[start..at], n)
            });
            if stop.is_some() && starts {
                out.push(start..at);
                start = at + c.len_utf8();
                stop = None;
            }
        } else {
            if matches!(stop, Some('。' | '！' | '？')) {
                out.push(start..at);
                start = at;
            }
            stop = None;
        }
    }
    if start < text.len() {
        out.push(start..text.len());
    }
    out
}

const CLOSING: [char; 13] = [
    '"', '\'', '*', '_', '`', ')', '»', '”', '’', '」', '』', '）', '》',
];

/// Whether text ends in an abbreviation that the next word belongs to: an initial ("J. Smith"), a
/// form of address, or a short word before a number ("art. 5", "Fig. 2").
fn is_abbreviated(text: &str, next: char) -> bool {
    let Some(text) = text.strip_suffix('.') else {
        return false;
    };
    let before = text.trim_end_matches(char::is_alphabetic);
    let word = &text[before.len()..];
    match word.chars().count() {
        1 => word.chars().all(char::is_uppercase) || next.is_numeric(),
        2..=4 if next.is_numeric() => true,
        _ => ADDRESSES.contains(&word),
    }
}

/// English and Spanish.
const ADDRESSES: [&str; 13] = [
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Sr", "Sra", "Srta", "Dra", "Ud", "Uds", "vs",
];

/// Cuts a range that is too long at white space, else between characters, so that every piece
/// has at most `size` tokens by `tokens` (a single character always stands alone). White space at
/// a cut belongs to no piece.
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
        assert_eq!(
            split("天气很好。“真的？”是的！ 好。"),
            ["天气很好。", "“真的？”", "是的！", "好。"]
        );
        assert_eq!(split(""), [""; 0]);
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        assert_eq!(
            split("Dr. J. Smith saw art. 5 and Fig. 2. It rained. Ud. sabe."),
            [
                "Dr. J. Smith saw art. 5 and Fig. 2.",
                "It rained.",
                "Ud. sabe."
            ]
        );
        assert_eq!(split("He ran. Then 5 came."), ["He ran.", "Then 5 came."]);
    }

    #[test]
    fn hard_split_never_cuts_a_character() {
        let text = "天气很好天气很好";
        let pieces = hard_split(text, 0..text.len(), 3, &|r| text[r].chars().count());
        assert!(pieces.len() > 2);
        assert_eq!(
            pieces.iter().map(|r| &text[r.clone()]).collect::<String>(),
            text
        );
    }
}
