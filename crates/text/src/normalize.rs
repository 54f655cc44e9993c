//! Normalization of answers: that of the SQuAD script, with numbers and hyphens kept apart.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    Lang,
    numbers::{canonical, number_length},
};

/// The text in the form in which answers are compared.
///
/// In order:
/// 1. NFKC and lower case;
/// 2. numbers of the language in plain form (en `1,000` and es `1.000` become `1000`, es `3,5`
///    becomes `3.5`), with the punctuation inside them and a leading minus;
/// 3. a space for dashes and slashes between words;
/// 4. other punctuation deleted, as in the SQuAD script, including currency signs;
/// 5. articles of the language removed, unless nothing else remains;
/// 6. white space folded.
///
/// ```
/// use fiel_text::{Lang, normalize};
///
/// assert_eq!(normalize("The thread-safe map costs $1,000!", Lang::En), "thread safe map costs 1000");
/// ```
pub fn normalize(text: &str, lang: Lang) -> String {
    without_articles(normalized_words(text, lang), lang).join(" ")
}

/// The words of the normalized text. In a script without spaces each character is a token.
pub fn tokens(text: &str, lang: Lang) -> Vec<String> {
    split_spaceless(&without_articles(normalized_words(text, lang), lang))
}

/// The words of the normalized text, including articles.
pub fn normalized_words(text: &str, lang: Lang) -> Vec<String> {
    cleaned(text, lang).split_whitespace().map(str::to_owned).collect()
}

/// The words without articles, or all of them if there is nothing else.
pub fn without_articles(words: Vec<String>, lang: Lang) -> Vec<String> {
    let is_article = |word: &String| lang.articles().contains(&word.as_str());
    if words.iter().all(is_article) {
        words
    } else {
        words.into_iter().filter(|word| !is_article(word)).collect()
    }
}

/// The words, with each character of a script without spaces as a word.
pub fn split_spaceless(words: &[String]) -> Vec<String> {
    let mut tokens = Vec::with_capacity(words.len());
    for piece in words.iter().flat_map(|word| word.split_inclusive(is_spaceless)) {
        let run = piece.trim_end_matches(is_spaceless);
        let parts = [run, &piece[run.len()..]].into_iter().filter(|part| !part.is_empty());
        tokens.extend(parts.map(str::to_owned));
    }
    tokens
}

fn cleaned(text: &str, lang: Lang) -> String {
    let chars: Vec<char> = text.nfkc().flat_map(char::to_lowercase).collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c.is_ascii_digit() {
            let length = number_length(&chars[at..]);
            let number: String = chars[at..at + length].iter().collect();
            out.push_str(&canonical(&number, lang).unwrap_or(number));
            at += length;
        } else if is_joiner(c) {
            let length = chars[at..].iter().take_while(|&&c| is_joiner(c)).count();
            let before = at.checked_sub(1).map(|i| chars[i]);
            let after = chars.get(at + length).copied();
            if before.is_some_and(is_word_char) && after.is_some_and(is_word_char) {
                out.push(' ');
            } else if length == 1
                && matches!(c, '-' | '\u{2212}')
                && before.is_none_or(|b| b.is_whitespace() || b == '(')
                && after.is_some_and(|a| a.is_ascii_digit())
            {
                out.push('-');
            }
            at += length;
        } else {
            if c.is_whitespace() {
                out.push(' ');
            } else if !is_punctuation(c) && !is_invisible(c) {
                out.push(c);
            }
            at += 1;
        }
    }
    out
}

/// Whether a character joins words: dashes and slashes.
fn is_joiner(c: char) -> bool {
    matches!(c, '-' | '/' | '\u{2010}'..='\u{2015}' | '\u{2044}' | '\u{2212}')
}

/// Whether a character is part of a word: a letter, a digit or a combining mark.
pub fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Python's `string.punctuation`, the punctuation of common scripts (Unicode categories P*) and
/// currency signs.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            // Latin-1: ¡ ¢ £ ¤ ¥ § « ¶ · » ¿
            '\u{a1}'..='\u{a5}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}'
            // Greek, Armenian, Hebrew, Arabic
            | '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{58a}' | '\u{5be}'
            | '\u{5c0}' | '\u{5c3}' | '\u{5c6}' | '\u{5f3}' | '\u{5f4}' | '\u{609}'..='\u{60d}'
            | '\u{61b}' | '\u{61d}'..='\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}'
            // Devanagari, Thai, Tibetan, Myanmar, Khmer
            | '\u{964}' | '\u{965}' | '\u{970}' | '\u{e3f}' | '\u{e4f}' | '\u{e5a}' | '\u{e5b}'
            | '\u{f04}'..='\u{f12}' | '\u{104a}'..='\u{104f}' | '\u{17d4}'..='\u{17d6}'
            | '\u{17d8}'..='\u{17db}'
            // General punctuation, currency, supplemental and CJK punctuation
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{20a0}'..='\u{20cf}'
            | '\u{2e00}'..='\u{2e5d}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301f}' | '\u{3030}' | '\u{303d}' | '\u{30a0}' | '\u{30fb}'
            | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}'
            | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff5b}'..='\u{ff65}')
}

/// Whether a character belongs to a script without spaces between words: Thai, Lao, Myanmar,
/// Khmer, kana and Han.
pub fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{e4e}' | '\u{e80}'..='\u{ecf}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17d3}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english() {
        for (text, expected) in [
            ("The  Past\tParticiple!", "past participle"),
            ("1,000 = 1000", "1000 1000"),
            ("3.5", "3.5"),
            ("35", "35"),
            ("thread-safe and/or fast", "thread safe and or fast"),
            ("2019\u{2013}2020", "2019 2020"),
            ("-ing, don't", "ing dont"),
            ("minus -5 and \u{2212}7 and 8-9", "minus -5 and -7 and 8 9"),
            ("\u{201c}caf\u{65}\u{301}\u{201d}", "caf\u{e9}"),
            ("ﬁve Ｆive", "five five"),
            ("The", "the"),
            ("the a", "the a"),
            ("$5, €5", "5 5"),
            ("", ""),
            ("?!", ""),
        ] {
            assert_eq!(normalize(text, Lang::En), expected, "{text}");
        }
    }

    #[test]
    fn spanish() {
        for (text, expected) in [
            ("¿Cuántos? 2.500.000", "cuántos 2500000"),
            ("3,5 kg", "3.5 kg"),
            ("La casa y el perro", "casa y perro"),
            ("las", "las"),
            ("the house", "the house"),
        ] {
            assert_eq!(normalize(text, Lang::Es), expected, "{text}");
        }
    }

    #[test]
    fn scripts_without_spaces_count_characters() {
        assert_eq!(tokens("GPT模型3.5很好。", Lang::Other), ["gpt", "模", "型", "3.5", "很", "好"]);
    }
}
