//! Kinds of characters that decide where words begin and end.

use unicode_normalization::UnicodeNormalization;

/// Whether a character belongs to a script without spaces between words: Thai, Lao, Myanmar,
/// Khmer, kana and Han.
pub fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{e4e}' | '\u{e80}'..='\u{ecf}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17d3}' | '\u{19e0}'..='\u{19ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{a9e0}'..='\u{a9fe}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is a Hangul syllable or letter. Korean separates words by spaces, but a word
/// carries its particles.
pub fn is_hangul(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}')
}

/// Whether a character is a pictograph, such as an emoji: a word by itself. Modifiers of skin tone
/// are not.
pub fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}')
}

/// Whether a character is invisible and separates nothing: the default-ignorable characters of
/// Unicode, such as the soft hyphen, the zero-width space and the variation selectors.
pub fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Composes the letters of a text and replaces full-width and half-width forms by the usual ones:
/// `ＵＳＢ` becomes `USB`. Leaves out characters that [`is_ignorable`].
pub fn fold_width(text: &str) -> String {
    let is_form = |c: &char| matches!(c, '\u{ff00}'..='\u{ffef}');
    let visible = text.chars().filter(|c| !is_ignorable(*c));
    let folded = visible.flat_map(|c| {
        let form = is_form(&c).then(|| std::iter::once(c).nfkc());
        let other = form.is_none().then_some(c);
        form.into_iter().flatten().chain(other)
    });
    folded.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_width_and_invisible_characters_are_folded() {
        for (text, expected) in [
            ("ＵＳＢ３", "USB3"),
            ("ｵｰﾀﾞｰ", "オーダー"),
            ("co\u{ad}operate \u{200b}x\u{feff}", "cooperate x"),
            ("cafe\u{301} 10⁶ ½", "café 10⁶ ½"),
            ("❤\u{fe0f}", "❤"),
        ] {
            assert_eq!(fold_width(text), expected);
        }
    }

    #[test]
    fn kinds_do_not_overlap() {
        for c in '\0'..=char::MAX {
            let kinds = [is_spaceless(c), is_hangul(c), is_pictograph(c)];
            assert!(kinds.iter().filter(|is| **is).count() <= 1, "{c:?}");
        }
        assert!(is_spaceless('語') && is_spaceless('ค') && is_spaceless('ြ') && is_spaceless('ថ'));
        assert!(is_hangul('서') && is_pictograph('🎉') && !is_pictograph('é'));
    }
}
