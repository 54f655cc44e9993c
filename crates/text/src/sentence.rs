//! Sentences. Decimals, versions and abbreviations do not end one.

use std::ops::Range;

use crate::Lang;

/// Byte ranges of the sentences of `block`, in order, covering it without
/// leading blanks.
///
/// `markers` are the citation markers of the text: one that follows the full
/// stop belongs to the sentence before it.
pub fn sentences(
    text: &str,
    block: Range<usize>,
    markers: &[Range<usize>],
    lang: Lang,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = block.start;
    let mut at = start;
    while let Some(c) = text[at..block.end].chars().next() {
        if let Some(marker) = markers.iter().find(|marker| marker.start == at) {
            at = marker.end.min(block.end);
            continue;
        }
        if !is_stop(c) {
            at += c.len_utf8();
            continue;
        }
        let stops = at..at + run(&text[at..block.end], is_stop);
        let closed = stops.end + run(&text[stops.end..block.end], is_closer);
        let end = after_markers(text, closed..block.end, markers);
        let rest = &text[end..block.end];
        let detached = end > closed || rest.is_empty() || rest.starts_with(char::is_whitespace);
        if ends_sentence(
            &text[start..stops.start],
            &text[stops],
            detached,
            rest,
            lang,
        ) {
            found.push(start..end);
            start = end + run(rest, char::is_whitespace);
            at = start;
        } else {
            at = closed;
        }
    }
    if start < block.end {
        found.push(start..block.end);
    }
    found
}

/// Length in bytes of the characters at the head that satisfy `is`.
fn run(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(is).len()
}

/// End of the markers that follow, with the stops and blanks between them.
fn after_markers(text: &str, range: Range<usize>, markers: &[Range<usize>]) -> usize {
    let mut end = range.start;
    loop {
        let next = end + run(&text[end..range.end], |c| matches!(c, ' ' | '\t'));
        match markers.iter().find(|marker| marker.start == next) {
            Some(marker) if marker.end <= range.end => {
                end = marker.end;
                end += run(&text[end..range.end], is_stop);
            }
            _ => return end,
        }
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡')
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '}' | '»' | '”' | '’' | '*' | '_' | '`' | '」' | '』'
    )
}

/// `before` is the sentence up to its stops, `rest` what follows them.
fn ends_sentence(before: &str, stops: &str, detached: bool, rest: &str, lang: Lang) -> bool {
    if stops.contains(['。', '！', '？', '｡']) {
        return true;
    }
    if !detached {
        return false;
    }
    let next = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(first) = next.chars().next() else {
        return true;
    };
    if stops != "." {
        return !first.is_lowercase();
    }
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '«' | '¿' | '¡'))
        .next()
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let single_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    if ABBREVIATIONS.contains(&word.as_str()) {
        return false;
    }
    if BEFORE_NUMBERS.contains(&word.as_str()) && first.is_ascii_digit() {
        return false;
    }
    if MAY_END.contains(&word.as_str()) {
        return first.is_uppercase();
    }
    if single_letter || is_acronym(&word) {
        // "J. Smith" and "the U.S. Army" go on; "in the U.S. It is" does not.
        let next: String = next.chars().take_while(|c| c.is_alphanumeric()).collect();
        return first.is_uppercase() && lang.is_stop_word(&next.to_lowercase());
    }
    true
}

/// Letters with full stops between them: `u.s`, `s.a`.
fn is_acronym(word: &str) -> bool {
    word.contains('.')
        && word
            .split('.')
            .all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic))
}

// English and Spanish together: an answer in one quotes the other. Words that
// end sentences in their own right ("ed", "ing", "art") are left out or need a number.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "approx", "aprox", "av", "avda", "ca", "capt", "cf", "dept", "depto", "dr", "dra", "e.g", "ee",
    "eg", "ej", "gov", "i.e", "ie", "lic", "lt", "mr", "mrs", "ms", "mt", "p.ej", "prof", "profa",
    "rev", "sen", "sgt", "sr", "sra", "srta", "st", "ud", "uds", "vd", "viz", "vs",
];

#[rustfmt::skip]
const BEFORE_NUMBERS: &[&str] = &[
    "apr", "art", "arts", "aug", "cap", "ch", "dec", "eq", "feb", "fig", "figs", "jan", "jul",
    "jun", "mar", "max", "min", "máx", "mín", "no", "nos", "nov", "nr", "núm", "oct", "p", "pp",
    "pág", "págs", "sec", "sep", "sept", "tel", "vol", "vols",
];

/// Abbreviations that may end a sentence: the next word decides.
#[rustfmt::skip]
const MAY_END: &[&str] = &[
    "a.m", "al", "co", "corp", "etc", "inc", "jr", "ltd", "p.m", "uu",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, lang: Lang) -> Vec<&str> {
        let markers: Vec<_> = text.match_indices('[').map(|(at, _)| at..at + 3).collect();
        sentences(text, 0..text.len(), &markers, lang)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn what_does_not_end_a_sentence() {
        for text in [
            "It costs 3.5 euros in version 1.2.3 of lib.rs.",
            "Dr. Smith and Mr. J. Brown met at approx. 10 a.m. today.",
            "See e.g. the past, i.e. the form in fig. 3 of vol. 2.",
            "The U.S. Army uses no. 5",
            "Forms, tenses, etc. are listed",
            "\"Really?\" he said",
            "Wait... there is more",
        ] {
            assert_eq!(split(text, Lang::En), [text]);
        }
        for text in [
            "El Sr. Pérez y la Dra. Ruiz usan formas, p. ej. comido, en la pág. 3.",
            "EE. UU. tiene 2.500.000 habitantes, aprox. un 3,5 por ciento.",
        ] {
            assert_eq!(split(text, Lang::Es), [text]);
        }
    }

    #[test]
    fn what_does() {
        for (text, expected) in [
            (
                "One is 3.5. Two is 4. end",
                vec!["One is 3.5.", "Two is 4.", "end"],
            ),
            ("Add -ed. Then stop!", vec!["Add -ed.", "Then stop!"]),
            (
                "He said \"no.\" Then left.",
                vec!["He said \"no.\"", "Then left."],
            ),
            ("In the U.S. It is so.", vec!["In the U.S.", "It is so."]),
            (
                "And so on, etc. The end",
                vec!["And so on, etc.", "The end"],
            ),
            (
                "ate is past. eaten is not.",
                vec!["ate is past.", "eaten is not."],
            ),
            ("很好。不好", vec!["很好。", "不好"]),
            ("¿Sí? ¡No!", vec!["¿Sí?", "¡No!"]),
        ] {
            assert_eq!(split(text, Lang::En), expected);
        }
    }

    #[test]
    fn a_marker_after_the_full_stop_belongs_to_the_sentence_before_it() {
        for (text, expected) in [
            (
                "One. [1] Two [2]. Three",
                vec!["One. [1]", "Two [2].", "Three"],
            ),
            ("One.[1][2] Two", vec!["One.[1][2]", "Two"]),
            ("One. [1]. Two", vec!["One. [1].", "Two"]),
            ("[1] One. Two.", vec!["[1] One.", "Two."]),
        ] {
            assert_eq!(split(text, Lang::En), expected);
        }
    }
}
