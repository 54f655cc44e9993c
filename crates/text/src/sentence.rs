//! Sentences.
//!
//! One scanner finds them: it looks at every full stop, question or exclamation mark. What a stop
//! must look like to end a sentence depends on the text, see [`SentenceRules`].

use std::ops::Range;

use crate::{Lang, trim_punctuation};

/// What ends a sentence.
///
/// In all cases a Chinese or Japanese stop ends one, and so does a blank line. Closing quotation
/// marks, brackets and emphasis after a stop belong to its sentence.
#[derive(Clone, Copy, Debug)]
pub enum SentenceRules<'a> {
    /// For the prose of documents, whose language is not known: a stop before white space and
    /// anything but a lower-case letter, unless it belongs to an abbreviation or an initial
    /// (`art. 5`, `J. Smith`).
    Document,
    /// For answers and what they are compared with. A full stop may also precede a lower-case
    /// word, because an answer may start with a form (`ate is the past. eaten is the
    /// participle.`), and any single letter may be an initial.
    Answer {
        /// After an acronym, a function word of this language starts a sentence.
        lang: Lang,
        /// Citation markers in the text, in order. One that follows a stop belongs to the sentence
        /// before it.
        markers: &'a [Range<usize>],
    },
    /// For finding short quotations: every stop before white space, even after an abbreviation.
    EveryStop,
}

/// Byte ranges of the sentences in `block`, a range of `text`. They are in order and cover the
/// block, except for the white space between them.
///
/// ```
/// use fiel_text::{SentenceRules, sentences};
///
/// let text = "Dr. Smith paid 3.5 euros. Why?";
/// let found = sentences(text, 0..text.len(), SentenceRules::Document);
/// assert_eq!(found, [0..25, 26..30]);
/// ```
pub fn sentences(text: &str, block: Range<usize>, rules: SentenceRules<'_>) -> Vec<Range<usize>> {
    let markers = match rules {
        SentenceRules::Answer { markers, .. } => markers,
        SentenceRules::Document | SentenceRules::EveryStop => &[],
    };
    let mut found = Vec::new();
    let mut start = block.start;
    let mut at = start;
    while let Some(c) = text[at..block.end].chars().next() {
        if let Some(marker) = markers.iter().find(|marker| marker.start == at) {
            at = marker.end.min(block.end);
            continue;
        }
        if c.is_whitespace() {
            let space = at..at + run(&text[at..block.end], char::is_whitespace);
            let is_blank_line = text[space.clone()].matches('\n').count() > 1;
            if is_blank_line && start < at && space.end < block.end {
                found.push(start..at);
                start = space.end;
            }
            at = space.end;
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
        let is_detached = end > closed || rest.is_empty() || rest.starts_with(char::is_whitespace);
        let is_end = text[stops.clone()].contains(['。', '！', '？', '｡'])
            || is_detached && ends_sentence(&text[start..stops.start], &text[stops], rest, rules);
        if is_end {
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

/// Length in bytes of the characters at the start that satisfy a condition.
fn run(text: &str, condition: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(condition).len()
}

/// The end of the markers that follow, including the stops and blanks between them.
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
    "\"')]}»”’*_`」』）》".contains(c)
}

/// Whether stops end the sentence `before` them; `rest` is the text after them.
fn ends_sentence(before: &str, stops: &str, rest: &str, rules: SentenceRules<'_>) -> bool {
    if matches!(rules, SentenceRules::EveryStop) {
        return true;
    }
    let next = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(first) = next.chars().next() else {
        return true;
    };
    let is_document = matches!(rules, SentenceRules::Document);
    if is_document && rest.trim_start().starts_with(char::is_lowercase) {
        return false;
    }
    if stops != "." {
        return is_document || !first.is_lowercase();
    }
    let written = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '«' | '¿' | '¡'))
        .next()
        .map_or("", trim_punctuation);
    let word = written.to_lowercase();
    if ABBREVIATIONS.contains(&word.as_str())
        || BEFORE_NUMBERS.contains(&word.as_str()) && first.is_ascii_digit()
    {
        return false;
    }
    if MAY_END.contains(&word.as_str()) {
        return first.is_uppercase();
    }
    let mut letters = written.chars();
    let letter = letters.next().filter(|c| c.is_alphabetic() && letters.next().is_none());
    let is_initial =
        letter.is_some_and(|c| !is_document || (c.is_uppercase() && before.ends_with(c)));
    if is_initial || is_acronym(&word) {
        // "J. Smith" and "the U.S. Army" continue; "in the U.S. It is" does not.
        let SentenceRules::Answer { lang, .. } = rules else {
            return false;
        };
        let next: String = next.chars().take_while(|c| c.is_alphanumeric()).collect();
        return first.is_uppercase() && lang.is_stop_word(&next.to_lowercase());
    }
    true
}

/// Whether a word consists of letters with full stops between them: `u.s`, `s.a`.
fn is_acronym(word: &str) -> bool {
    word.contains('.')
        && word
            .split('.')
            .all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic))
}

// English and Spanish together, because a text in one quotes the other. Words that often end a
// sentence ("ed", "ing", "art") are left out or need a number.
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

/// Abbreviations that may end a sentence; the next word decides.
#[rustfmt::skip]
const MAY_END: &[&str] = &[
    "a.m", "al", "co", "corp", "etc", "inc", "jr", "ltd", "p.m", "uu",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, lang: Lang) -> Vec<&str> {
        let markers: Vec<_> = text.match_indices('[').map(|(at, _)| at..at + 3).collect();
        let rules = SentenceRules::Answer { lang, markers: &markers };
        sentences(text, 0..text.len(), rules).into_iter().map(|range| &text[range]).collect()
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
            ("One is 3.5. Two is 4. end", vec!["One is 3.5.", "Two is 4.", "end"]),
            ("Add -ed. Then stop!", vec!["Add -ed.", "Then stop!"]),
            ("He said \"no.\" Then left.", vec!["He said \"no.\"", "Then left."]),
            ("In the U.S. It is so.", vec!["In the U.S.", "It is so."]),
            ("And so on, etc. The end", vec!["And so on, etc.", "The end"]),
            ("ate is past. eaten is not.", vec!["ate is past.", "eaten is not."]),
            ("很好。不好", vec!["很好。", "不好"]),
            ("¿Sí? ¡No!", vec!["¿Sí?", "¡No!"]),
        ] {
            assert_eq!(split(text, Lang::En), expected);
        }
    }

    #[test]
    fn a_marker_after_the_full_stop_belongs_to_the_sentence_before_it() {
        for (text, expected) in [
            ("One. [1] Two [2]. Three", vec!["One. [1]", "Two [2].", "Three"]),
            ("One.[1][2] Two", vec!["One.[1][2]", "Two"]),
            ("One. [1]. Two", vec!["One. [1].", "Two"]),
            ("[1] One. Two.", vec!["[1] One.", "Two."]),
        ] {
            assert_eq!(split(text, Lang::En), expected);
        }
    }

    fn split_by<'a>(text: &'a str, rules: SentenceRules<'_>) -> Vec<&'a str> {
        let found = sentences(text, 0..text.len(), rules);
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn documents() {
        for (text, expected) in [
            ("It is 3.5 m. \"Really?\" Yes!", vec!["It is 3.5 m.", "\"Really?\"", "Yes!"]),
            ("¿Qué? Él vino. Así es", vec!["¿Qué?", "Él vino.", "Así es"]),
            ("天气很好。“真的？”是的！ 好。", vec!["天气很好。", "“真的？”", "是的！", "好。"]),
            (
                "Dr. J. Smith saw art. 5 and Fig. 2. It rained. Ud. sabe.",
                vec!["Dr. J. Smith saw art. 5 and Fig. 2.", "It rained.", "Ud. sabe."],
            ),
            ("He ran. Then 5 came.", vec!["He ran.", "Then 5 came."]),
            ("It drops the final e. Then -ing.", vec!["It drops the final e.", "Then -ing."]),
            ("Use `N`. Then stop.", vec!["Use `N`.", "Then stop."]),
            ("Look! and listen. to it", vec!["Look! and listen. to it"]),
            ("", vec![]),
        ] {
            assert_eq!(split_by(text, SentenceRules::Document), expected);
        }
    }

    #[test]
    fn every_stop_and_every_blank_line() {
        for (text, expected) in [
            (
                "One is here. Two is\nthere (yes!) Three, at last",
                vec!["One is here.", "Two is\nthere (yes!)", "Three, at last"],
            ),
            ("# Head\n\nBody here", vec!["# Head", "Body here"]),
            ("See Dr. Smith", vec!["See Dr.", "Smith"]),
            ("天气很好。他来了。", vec!["天气很好。", "他来了。"]),
        ] {
            assert_eq!(split_by(text, SentenceRules::EveryStop), expected);
        }
    }
}
