//! Normalization of answers: that of the SQuAD script, with numbers and hyphens kept apart.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    Lang,
    numbers::{canonical, number_length},
    script::{is_ignorable, is_spaceless},
};

/// The text in the form in which answers are compared.
///
/// In order:
/// 1. NFKC and lower case; a superscript after a digit becomes a power (`10⁶` is `10^6`), and a
///    fraction after a digit stays apart (`2½` is `2 1 2`);
/// 2. numbers of the language in plain form (en `1,000` and es `1.000` become `1000`, es `3,5`
///    becomes `3.5`, `.5` becomes `0.5`), with the punctuation inside them and the signs before them:
///    a minus of any shape, also across a currency sign, `<` and `>`;
/// 3. a space for dashes and slashes between words;
/// 4. other punctuation deleted, as in the SQuAD script, including currency signs, but not `+` and
///    `#` at the end of a name (`C++`, `C#`);
/// 5. articles of the language removed, unless nothing else remains. A capital letter at the end
///    (`vitamin A`) or after a capitalized word (`Plan A`) is not an article;
/// 6. white space folded.
///
/// ```
/// use fiel_text::{Lang, normalize};
///
/// assert_eq!(normalize("The thread-safe map costs $1,000!", Lang::En), "thread safe map costs 1000");
/// assert_eq!(normalize("Hepatitis A", Lang::En), "hepatitis a");
/// ```
pub fn normalize(text: &str, lang: Lang) -> String {
    NormalizedWords::new(text, lang).words.join(" ")
}

/// The words of the normalized text. In a script without spaces each character is a token.
pub fn tokens(text: &str, lang: Lang) -> Vec<String> {
    split_spaceless(&NormalizedWords::new(text, lang).words)
}

/// The words of a normalized text; see [`normalize`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizedWords {
    /// Without articles, unless there is nothing else.
    pub words: Vec<String>,
    /// With articles.
    pub all: Vec<String>,
}

impl NormalizedWords {
    /// Normalizes a text.
    pub fn new(text: &str, lang: Lang) -> Self {
        let cleaned = cleaned(text, lang);
        let written: Vec<&str> = cleaned.split_whitespace().collect();
        let all: Vec<String> = written.iter().map(|word| word.to_lowercase()).collect();
        let is_capital = |at: usize| written[at].starts_with(char::is_uppercase);
        // `Hepatitis A`, `Plan A is better`; in a text all in capitals nothing is known.
        let is_title = |at: usize| is_capital(at) && written[at].contains(char::is_lowercase);
        let is_letter = |at: usize| {
            at > 0
                && written[at].len() == 1
                && is_capital(at)
                && (at + 1 == all.len() || is_title(at - 1))
        };
        let is_article =
            |at: &usize| lang.articles().contains(&all[*at].as_str()) && !is_letter(*at);
        let kept = (0..all.len()).filter(|at| !is_article(at));
        let words: Vec<String> = kept.map(|at| all[at].clone()).collect();
        let only_articles = all.iter().all(|word| lang.articles().contains(&word.as_str()));
        Self { words: if only_articles { all.clone() } else { words }, all }
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

/// The text with its words as written, numbers in plain form and no other punctuation.
fn cleaned(text: &str, lang: Lang) -> String {
    let chars: Vec<char> = compatible(text).chars().collect();
    let is_digit_at = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let before = at.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(at + 1).copied();
        let starts_number = before.is_none_or(|b| b.is_whitespace() || b == '(' || is_currency(b));
        let mut length = 1;
        if c.is_ascii_digit() {
            length = number_length(&chars[at..]);
            let number: String = chars[at..at + length].iter().collect();
            out.push_str(&canonical(&number, lang).unwrap_or(number));
        } else if is_point(c, lang) && is_digit_at(at + 1) && !before.is_some_and(is_word_char) {
            // A number that starts with its decimal point.
            let digits = number_length(&chars[at + 1..]);
            out.push_str("0.");
            out.extend(&chars[at + 1..at + 1 + digits]);
            length += digits;
        } else if is_joiner(c) {
            length = chars[at..].iter().take_while(|&&c| is_joiner(c)).count();
            let after = chars.get(at + length).copied();
            if before.is_some_and(is_word_char) && after.is_some_and(is_word_char) {
                out.push(' ');
            } else if length == 1
                && is_minus(c)
                && starts_number
                && leads_to_digit(&chars[at + 1..], 0)
            {
                out.push('-');
            }
        } else if c == '^' && before.is_some_and(|b| b.is_ascii_digit()) {
            out.push('^');
            // The sign of an exponent.
            if after.is_some_and(is_minus) {
                out.push('-');
                length += 1;
            }
        } else if matches!(c, '<' | '>' | '\u{2264}' | '\u{2265}')
            && leads_to_digit(&chars[at + 1..], 1)
        {
            out.push(' ');
            out.push(c);
            length += chars[at + 1..].iter().take_while(|c| c.is_whitespace()).count();
        } else if matches!(c, '+' | '#') && out.ends_with(is_name_char) {
            let signs = chars[at..].iter().take_while(|&&next| next == c).count();
            if !chars.get(at + signs).copied().is_some_and(is_word_char) {
                out.extend(&chars[at..at + signs]);
            }
            length = signs;
        } else if c.is_whitespace() {
            out.push(' ');
        } else if !is_punctuation(c) && !c.is_control() && !is_ignorable(c) {
            out.push(c);
        }
        at += length;
    }
    out
}

/// NFKC, in which a superscript after a digit becomes `^` with digits and a fraction after a digit
/// stays apart.
fn compatible(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut before = None;
    for c in text.chars() {
        let is_superscript =
            |c| matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}'..='\u{207b}');
        let follows_digit = before.is_some_and(|b: char| b.is_ascii_digit());
        if follows_digit && is_superscript(c) {
            spaced.push('^');
        } else if follows_digit && matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215e}') {
            spaced.push(' ');
        }
        spaced.push(c);
        before = Some(c);
    }
    spaced.nfkc().collect()
}

/// Whether a number follows, after at most `blanks` blanks and after currency signs.
fn leads_to_digit(chars: &[char], blanks: usize) -> bool {
    let found = chars.iter().take_while(|c| **c == ' ').count();
    let next = chars[found..].iter().find(|c| !is_currency(**c));
    found <= blanks && next.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}')
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}')
}

fn is_point(c: char, lang: Lang) -> bool {
    c == '.' || c == ',' && lang == Lang::Es
}

/// Whether a name may end with this character before its sign.
fn is_name_char(c: char) -> bool {
    is_word_char(c) || c == '+' || c == '#'
}

/// Whether a character joins words: dashes and slashes.
fn is_joiner(c: char) -> bool {
    matches!(c, '-' | '/' | '\u{2010}'..='\u{2015}' | '\u{2044}' | '\u{2212}')
}

/// Whether a character is part of a word: a letter, a digit or a combining mark.
pub fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
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
            ("\u{2013}5 and -$5 and €-5 and -.5", "-5 and -5 and -5 and -0.5"),
            (".5 and 0.5, x.5", "0.5 and 0.5 x5"),
            ("C++ and C#, but a+b", "c++ and c# but ab"),
            ("- 5 apples", "5 apples"),
            ("< 5, >5 and a > b", "<5 >5 and b"),
            ("10⁶, 10^6, 10⁻⁶, m²", "10^6 10^6 10^-6 m2"),
            ("2½ or 21/2", "2 1 2 or 21 2"),
            ("The plan. Plan A is better than a Plan B", "plan plan a is better than plan b"),
            ("Hepatitis A", "hepatitis a"),
            ("vitamin A.", "vitamin a"),
            ("is on An.", "is on"),
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
            ("3,5 kg y ,5 kg", "3.5 kg y 0.5 kg"),
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
