//! Places of quotations in UTF-16 units, as scripts count.

use std::ops::Range;

use fiel_text::{locate_letters, locate_part};

/// [`locate_letters`] in UTF-16 units.
pub(super) fn locate(text: &str, words: &str, from: usize) -> Option<Range<usize>> {
    let mut units = 0;
    let before = text.chars().take_while(|c| {
        let is_before = units < from;
        units += c.len_utf16();
        is_before
    });
    let from = before.map(char::len_utf8).sum();
    locate_letters(text, words, from).map(|place| in_units(text, place))
}

/// [`locate_part`] in UTF-16 units.
pub(super) fn locate_most(text: &str, quote: &str) -> Option<Range<usize>> {
    locate_part(text, quote).map(|place| in_units(text, place))
}

fn in_units(text: &str, place: Range<usize>) -> Range<usize> {
    let units = |text: &str| text.encode_utf16().count();
    let start = units(&text[..place.start]);
    start..start + units(&text[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_outside_the_basic_plane_takes_two_units() {
        assert_eq!(locate("𝒳 ate, ate", "ate", 0), Some(3..6));
        assert_eq!(locate("𝒳 ate, ate", "ate", 4), Some(8..11));
        assert_eq!(locate_most("𝒳 is ate. Next", "𝒳 is ate."), Some(0..10));
    }
}
