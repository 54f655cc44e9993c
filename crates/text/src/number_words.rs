//! Number words of English and Spanish.

use crate::Lang;

#[rustfmt::skip]
const UNITS_EN: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
#[rustfmt::skip]
const TENS_EN: &[&str] = &[
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
#[rustfmt::skip]
const UNITS_ES: &[&str] = &[
    "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once",
    "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve",
    "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis",
    "veintisiete", "veintiocho", "veintinueve",
];
#[rustfmt::skip]
const TENS_ES: &[&str] = &[
    "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
];

/// Whether a token counts as a number rather than as a word: it contains a digit.
pub fn is_numeric(token: &str) -> bool {
    token.contains(|c: char| c.is_ascii_digit())
}

/// The value of the number word at the start of the tokens, 2 to 99, and how many tokens it takes.
///
/// `one` is excluded because it is a pronoun as often as a number.
///
/// ```
/// use fiel_text::{Lang, number_word};
///
/// assert_eq!(number_word(&["twenty", "one", "days"], Lang::En), Some((21, 2)));
/// assert_eq!(number_word(&["treinta", "y", "cinco"], Lang::Es), Some((35, 3)));
/// ```
pub fn number_word<S: AsRef<str>>(tokens: &[S], lang: Lang) -> Option<(usize, usize)> {
    let (units, tens, first_ten, and) = match lang {
        Lang::En => (UNITS_EN, TENS_EN, 2, None),
        Lang::Es => (UNITS_ES, TENS_ES, 3, Some("y")),
        Lang::Other => return None,
    };
    let position = |list: &[&str], word: &str| list.iter().position(|&w| w == word);
    let word = |at: usize| tokens.get(at).map_or("", AsRef::as_ref);
    let Some(ten) = position(tens, word(0)) else {
        let unit = position(units, word(0)).filter(|&unit| unit > 0)?;
        return Some((unit + 1, 1));
    };
    let ten = 10 * (ten + first_ten);
    let unit_at = match and {
        Some(and) if word(1) == and => 2,
        Some(_) => return Some((ten, 1)),
        None => 1,
    };
    match position(&units[..9], word(unit_at)) {
        Some(unit) => Some((ten + unit + 1, unit_at + 1)),
        None => Some((ten, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_languages() {
        for (words, lang, expected) in [
            ("twenty one", Lang::En, Some((21, 2))),
            ("ninety days", Lang::En, Some((90, 1))),
            ("one", Lang::En, None),
            ("cuarenta o cinco", Lang::Es, Some((40, 1))),
            ("treinta y cinco", Lang::Es, Some((35, 3))),
            ("uno", Lang::Es, None),
            ("two", Lang::Other, None),
            ("", Lang::En, None),
        ] {
            let tokens: Vec<&str> = words.split_whitespace().collect();
            assert_eq!(number_word(&tokens, lang), expected, "{words}");
        }
    }
}
