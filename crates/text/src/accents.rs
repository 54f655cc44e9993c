//! Accents, for comparisons that ignore them.

use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

/// The text without combining marks: `canción` becomes `cancion`, `ñ` becomes `n`.
///
/// The result is canonically decomposed (NFD).
pub fn without_accents(text: &str) -> String {
    text.nfd()
        .filter(|c| canonical_combining_class(*c) == 0)
        .collect()
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
}
