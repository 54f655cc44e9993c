//! Where words of one text stand in another that has other markup and white space.

use std::ops::Range;

/// Letters and digits of a text, each with its place in UTF-16 units, as scripts count.
fn letters(text: &str) -> Vec<(char, Range<usize>)> {
    let mut at = 0;
    let mut out = Vec::new();
    for c in text.chars() {
        let range = at..at + c.len_utf16();
        at = range.end;
        if c.is_alphanumeric() {
            out.push((c, range));
        }
    }
    out
}

/// Place of `words` in `text`, from `from` on, in UTF-16 units, letters and digits alone being
/// compared: a quotation of the Markdown is found in the plain text.
pub(super) fn locate(text: &str, words: &str, from: usize) -> Option<Range<usize>> {
    let place = find(&letters(text), &only_letters(words), from)?;
    Some(place.start..place.end + closing(text, words, place.end))
}

fn only_letters(words: &str) -> Vec<char> {
    words.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Units after the last letter that both texts have: a bracket or a full stop.
fn closing(text: &str, words: &str, end: usize) -> usize {
    let tail: Vec<char> = words
        .chars()
        .rev()
        .take_while(|c| !c.is_alphanumeric())
        .collect();
    let tail = tail.into_iter().rev().filter(|c| !"*_`".contains(*c));
    let rest: Vec<u16> = text.encode_utf16().skip(end).take(16).collect();
    let rest = String::from_utf16_lossy(&rest);
    let same = tail.zip(rest.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf16()).sum()
}

/// As [`locate`]; where a chunk was cut inside the quotation, the longest half or more of it that
/// the chunk begins or ends with.
pub(super) fn locate_most(text: &str, quote: &str) -> Option<Range<usize>> {
    if let Some(whole) = locate(text, quote, 0) {
        return Some(whole);
    }
    let text = letters(text);
    let words = only_letters(quote);
    let half = words.len().div_ceil(2).max(1);
    (half..=words.len()).rev().find_map(|length| {
        let head = find(&text, &words[..length], 0);
        head.or_else(|| find(&text, &words[words.len() - length..], 0))
    })
}

fn find(text: &[(char, Range<usize>)], words: &[char], from: usize) -> Option<Range<usize>> {
    if words.is_empty() {
        return None;
    }
    text.windows(words.len())
        .find(|w| w[0].1.start >= from && w.iter().zip(words).all(|((c, _), word)| c == word))
        .map(|w| w[0].1.start..w[w.len() - 1].1.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_white_space_do_not_matter() {
        let text = "Eat: The past of eat is ate (comí).";
        assert_eq!(locate(text, "past\nof *eat* is *ate*", 0), Some(9..27));
        let quoted = locate(text, "ate (*comí*).", 0);
        assert_eq!(quoted, Some(24..35));
        assert_eq!(locate(text, "past", 10), None);
        assert_eq!(locate(text, "**", 0), None);
        // A character outside the basic plane takes two units.
        assert_eq!(locate("𝒳 ate", "ate", 0), Some(3..6));
    }

    #[test]
    fn a_cut_quotation_is_found_by_its_longer_part() {
        assert_eq!(locate_most("is ate. Next", "The past is ate."), None);
        assert_eq!(
            locate_most("past is ate. Next", "The past is ate."),
            Some(0..11)
        );
        assert_eq!(
            locate_most("Before. The past is", "The past is ate"),
            Some(8..19)
        );
    }
}
