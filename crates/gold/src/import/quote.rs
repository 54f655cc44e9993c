use std::ops::Range;

use fiel_corpus::locate_quote;

/// The sentence of `body` that holds a span, or as many sentences as it takes to stand only once
/// in `text`; white space folded. None when even the whole body does not.
///
/// A sentence ends here at a full stop, question or exclamation mark before white space, and at
/// the end of a line that is followed by a blank one. An abbreviation may end one too early; the
/// quote still holds the span.
pub(crate) fn quote_for(text: &str, body: Range<usize>, span: Range<usize>) -> Option<String> {
    let borders = sentence_borders(text, &body);
    let last = borders.len().checked_sub(1)?;
    let mut from = borders
        .partition_point(|&b| b <= span.start)
        .saturating_sub(1);
    let mut to = borders.partition_point(|&b| b < span.end).clamp(from, last);
    loop {
        let words: Vec<&str> = text[borders[from]..borders[to]]
            .split_whitespace()
            .collect();
        let quote = words.join(" ");
        if locate_quote(text, &quote).is_ok() {
            return Some(quote);
        }
        // First to the right, then to the left.
        match (to < last, from > 0) {
            (true, _) => to += 1,
            (false, true) => from -= 1,
            (false, false) => return None,
        }
    }
}

/// Where a text occurs between characters that are no letters or digits.
pub(crate) fn at_borders<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = Range<usize>> {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let places = text.match_indices(needle);
    let ranges = places.map(|(at, found)| at..at + found.len());
    ranges.filter(move |r| {
        !r.is_empty()
            && is_border(text[..r.start].chars().next_back())
            && is_border(text[r.end..].chars().next())
    })
}

/// Where sentences begin, and the end of the body.
pub(crate) fn sentence_borders(text: &str, body: &Range<usize>) -> Vec<usize> {
    let mut out = vec![body.start];
    let mut after_stop = false;
    let mut newlines = 0;
    for (at, c) in text[body.clone()].char_indices() {
        let at = body.start + at;
        if c.is_whitespace() {
            newlines += usize::from(c == '\n');
        } else {
            let starts = newlines >= 2 || (after_stop && text[..at].ends_with(char::is_whitespace));
            if starts && at > body.start {
                out.push(at);
            }
            newlines = 0;
            let closing = matches!(c, '"' | '\'' | '*' | '_' | '`' | ')' | '»' | '”' | '’');
            after_stop = matches!(c, '.' | '!' | '?' | '…') || (after_stop && !starts && closing);
            if matches!(c, '。' | '！' | '？') && at + c.len_utf8() < body.end {
                out.push(at + c.len_utf8());
                after_stop = false;
            }
        }
    }
    out.push(body.end);
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, words: &str) -> Option<String> {
        let at = text.rfind(words).expect("in the text");
        quote_for(text, 0..text.len(), at..at + words.len())
    }

    #[test]
    fn the_sentence_that_holds_the_span() {
        let text = "One is here. Two is\nthere (yes!) Three, at last";
        assert_eq!(of(text, "there").as_deref(), Some("Two is there (yes!)"));
        assert_eq!(of(text, "last").as_deref(), Some("Three, at last"));
        assert_eq!(
            of(text, "here. Two").as_deref(),
            Some("One is here. Two is there (yes!)")
        );
        assert_eq!(of("天气很好。他来了。", "他").as_deref(), Some("他来了。"));
        assert_eq!(
            of("# Head\n\nBody here", "Body").as_deref(),
            Some("Body here")
        );
    }

    #[test]
    fn a_word_is_not_a_part_of_another() {
        let starts: Vec<usize> = at_borders("eaten, ate", "ate").map(|r| r.start).collect();
        assert_eq!(starts, [7]);
        assert_eq!(at_borders("x", "").count(), 0);
    }

    #[test]
    fn a_sentence_that_stands_twice_is_extended() {
        assert_eq!(of("Yes. A. Yes. B.", "Yes").as_deref(), Some("Yes. B."));
        assert_eq!(of("B. Yes. A. Yes.", "Yes").as_deref(), Some("A. Yes."));
        assert_eq!(of("Yes.", "Yes").as_deref(), Some("Yes."));
        let twice = "---\nYes.\n---\nYes.";
        assert_eq!(quote_for(twice, 13..17, 13..16), None);
    }
}
