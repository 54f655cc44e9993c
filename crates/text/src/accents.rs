//! Accents, for comparisons that ignore them.

use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use crate::fold_width;

/// The text without combining marks: `canción` becomes `cancion`, `ñ` becomes `n`.
///
/// The result is canonically decomposed (NFD).
pub fn without_accents(text: &str) -> String {
    text.nfd().filter(|c| canonical_combining_class(*c) == 0).collect()
}

/// The word in lower case without accents. In Spanish, `ñ` is a letter and not an accented `n`, so
/// it stays: `Años` becomes `años`. The typographic apostrophe becomes `'`, and widths are folded.
pub fn fold_word(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in fold_width(word).chars().flat_map(char::to_lowercase) {
        match c {
            'ñ' => folded.push(c),
            '\u{2019}' => folded.push('\''),
            _ => folded
                .extend(std::iter::once(c).nfd().filter(|c| canonical_combining_class(*c) == 0)),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_and_decomposed_letters_lose_their_accents() {
        assert_eq!(without_accents("canción, mañana"), "cancion, manana");
        assert_eq!(without_accents("cafe\u{301}"), "cafe");
        assert_eq!(without_accents("今日は"), "今日は");
    }

    #[test]
    fn a_folded_word_keeps_its_letters() {
        assert_eq!(fold_word("Años"), "años");
        assert_eq!(fold_word("An\u{303}os"), "años");
        assert_eq!(fold_word("Über’s Café"), "uber's cafe");
    }
}
