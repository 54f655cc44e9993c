//! Words of a text with their place and the form that is compared.

use std::ops::Range;

use crate::{Lang, fold_word, is_ignorable, is_spaceless, is_word_char};

/// A word of a text: letters and digits, with the marks between them (`8.8`, `don't`,
/// `drink-driving`).
pub struct Word<'a> {
    /// The word as written.
    pub text: &'a str,
    /// Byte range in the text.
    pub range: Range<usize>,
    /// The form that is compared: lower case without accents and without `'s`.
    pub key: String,
    /// Whether the word is a stop word.
    pub stop: bool,
    /// Whether anything but white space separates it from the word before.
    pub after_break: bool,
}

impl Word<'_> {
    /// Whether the word starts with a capital letter.
    pub fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Whether two words are forms of the same word: equal but for a plural ending, or with the
    /// same first five letters.
    pub fn is_like(&self, other: &Self) -> bool {
        const STEM: usize = 5;
        fn stem(key: &str) -> &str {
            key.char_indices().nth(STEM).map_or(key, |(end, _)| &key[..end])
        }
        self.is_same(other) || stem(&self.key) == stem(&other.key)
    }

    /// Whether two words are equal, or differ only in a plural ending.
    pub fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (self.key.as_str(), other.key.as_str());
        let is_plural = |plural: &str, singular: &str| {
            plural.strip_prefix(singular).is_some_and(|ending| matches!(ending, "s" | "es"))
        };
        a == b || (a.len() > 2 && b.len() > 2 && (is_plural(b, a) || is_plural(a, b)))
    }
}

/// The runs of letters and digits in a text.
pub fn alphanumeric_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// A word without the characters at its ends that are neither letters nor digits.
pub fn trim_punctuation(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The words of a text, in order. In a script without spaces each character is a word.
pub fn words(text: &str, lang: Lang) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = match c {
            _ if start.is_none() => false,
            '.' | ',' => {
                next.is_some_and(|n| n.is_ascii_digit())
                    && text[..at].ends_with(|p: char| p.is_ascii_digit())
            }
            '\'' | '’' | '-' | '/' | '–' => next.is_some_and(char::is_alphanumeric),
            _ => is_ignorable(c),
        };
        let is_alone = is_spaceless(c) && is_word_char(c);
        let is_part =
            !is_alone && (c.is_alphanumeric() || c == '%' && follows_number(text, at) || joins);
        if is_part {
            start.get_or_insert(at);
        }
        let end = at + c.len_utf8();
        if let Some(from) = start.filter(|_| !is_part || next.is_none()) {
            let to = if is_part { end } else { at };
            out.push(word(text, from..to, out.last(), lang));
            start = None;
        }
        if is_alone {
            out.push(word(text, at..end, out.last(), lang));
        }
    }
    out
}

fn word<'a>(text: &'a str, range: Range<usize>, before: Option<&Word<'_>>, lang: Lang) -> Word<'a> {
    let written = &text[range.clone()];
    let key = fold_word(written);
    let key = key.strip_suffix("'s").map_or(key.clone(), str::to_owned);
    Word {
        text: written,
        stop: lang.is_stop_word(&written.to_lowercase()) || lang.is_stop_word(&key),
        key,
        after_break: !text[before.map_or(0, |word| word.range.end)..range.start].trim().is_empty(),
        range,
    }
}

/// Whether a number precedes the sign at this position: `35%` or `35 %`.
fn follows_number(text: &str, at: usize) -> bool {
    text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_inside_a_word_belong_to_it() {
        let found = words("It's 8.8 lb, 35 % or 1,000; drink-driving (a «plus»).", Lang::En);
        let texts: Vec<&str> = found.iter().map(|w| w.text).collect();
        assert_eq!(
            texts,
            ["It's", "8.8", "lb", "35", "%", "or", "1,000", "drink-driving", "a", "plus"]
        );
        assert!(found[3].after_break && !found[4].after_break && found[8].after_break);
    }

    #[test]
    fn widths_invisible_characters_and_scripts_without_spaces() {
        let keys = |text: &str| -> Vec<String> {
            words(text, Lang::Other).into_iter().map(|word| word.key).collect()
        };
        assert_eq!(keys("ＵＳＢ３ co\u{ad}op \u{200b}x"), ["usb3", "coop", "x"]);
        assert_eq!(keys("GPT模型，好 3.5"), ["gpt", "模", "型", "好", "3.5"]);
    }

    #[test]
    fn forms_of_a_word_are_like_it_and_plurals_the_same() {
        let found = words("recargo recargos recargar agree agreed go goes", Lang::Es);
        assert!(found[0].is_same(&found[1]) && !found[0].is_same(&found[2]));
        assert!(found[0].is_like(&found[2]) && !found[3].is_same(&found[4]));
        assert!(found[3].is_like(&found[4]) && !found[5].is_same(&found[6]));
    }
}
