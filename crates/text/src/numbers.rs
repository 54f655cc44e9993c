//! Numbers in the notation of a language.

use crate::Lang;

/// Length in characters of the number at the start of `chars`: digits, joined by single `.`, `,`
/// or `:` between digits.
pub(crate) fn number_length(chars: &[char]) -> usize {
    let is_part = |&at: &usize| {
        let joins = at > 0
            && matches!(chars[at], '.' | ',' | ':')
            && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        chars[at].is_ascii_digit() || joins
    };
    (0..chars.len()).take_while(is_part).count()
}

/// The number without thousands separators and with a decimal point. Returns `None` for anything
/// that is not a number of the language (a version, a time, `3.5` in Spanish).
pub(crate) fn canonical(number: &str, lang: Lang) -> Option<String> {
    let (separator, mark) = lang.number_marks()?;
    let Some((whole, fraction)) = number.split_once(mark) else {
        return ungrouped(number, separator);
    };
    let whole = ungrouped(whole, separator)?;
    is_digits(fraction).then(|| format!("{whole}.{fraction}"))
}

/// `1,000,000` without its separators: groups of three digits after one to three digits, the first
/// of which is not 0.
fn ungrouped(whole: &str, separator: char) -> Option<String> {
    if is_digits(whole) {
        return Some(whole.to_owned());
    }
    let mut groups = whole.split(separator);
    let first = groups.next()?;
    let well_formed = is_digits(first)
        && first.len() <= 3
        && !first.starts_with('0')
        && groups.all(|group| is_digits(group) && group.len() == 3);
    well_formed.then(|| whole.replace(separator, ""))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_and_spanish_numbers() {
        for (lang, number, expected) in [
            (Lang::En, "1,000", "1000"),
            (Lang::En, "1,234,567.89", "1234567.89"),
            (Lang::En, "3.5", "3.5"),
            (Lang::En, "3,5", "3,5"),
            (Lang::En, "1.2.3", "1.2.3"),
            (Lang::En, "10:30", "10:30"),
            (Lang::En, "0,123", "0,123"),
            (Lang::Es, "2.500.000", "2500000"),
            (Lang::Es, "3,5", "3.5"),
            (Lang::Es, "1.000,50", "1000.50"),
            (Lang::Es, "3.5", "3.5"),
            (Lang::Es, "0.500", "0.500"),
            (Lang::Other, "1,000", "1,000"),
        ] {
            let plain = canonical(number, lang).unwrap_or_else(|| number.to_owned());
            assert_eq!(plain, expected, "{number} in {lang}");
        }
    }

    #[test]
    fn a_number_ends_before_its_full_stop() {
        let length = |text: &str| number_length(&text.chars().collect::<Vec<_>>());
        assert_eq!(length("30."), 2);
        assert_eq!(length("1,000, and"), 5);
        assert_eq!(length("3..5"), 1);
        assert_eq!(length("x"), 0);
    }
}
