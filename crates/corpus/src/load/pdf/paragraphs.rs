//! From lines to paragraphs.

use std::collections::BTreeSet;

use fiel_text::trim_punctuation;
use unicode_normalization::UnicodeNormalization;

use super::lines::PdfLine;

/// A paragraph ends if the step to the next line exceeds the usual one by this factor.
const PARAGRAPH_STEP: f64 = 1.25;

/// A paragraph, such as a heading, ends if the font size of the next line differs by this factor.
const PARAGRAPH_SIZE: f64 = 1.15;

/// Returns the text of a document, with a blank line between paragraphs and between pages, and with
/// words joined that are hyphenated at the end of a line.
pub(super) fn text(lines: &[PdfLine]) -> String {
    let usual = usual_step(lines);
    let lines: Vec<(String, bool)> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let starts_paragraph = index > 0 && is_apart(&lines[index - 1], line, usual);
            (without_ligatures(&line.text), starts_paragraph)
        })
        .collect();
    let words: BTreeSet<&str> =
        lines.iter().flat_map(|(text, _)| text.split_whitespace().map(trim_punctuation)).collect();
    let mut out = String::new();
    for (line, starts_paragraph) in &lines {
        if out.is_empty() {
        } else if *starts_paragraph {
            out.push_str("\n\n");
        } else if let Some(end) = hyphenated_end(&out, line, &words) {
            out.truncate(end);
        } else {
            out.push('\n');
        }
        out.push_str(line);
    }
    out
}

/// Distance between the lines of a paragraph, in font sizes: the lower quartile of the steps down.
fn usual_step(lines: &[PdfLine]) -> f64 {
    let mut steps: Vec<f64> = lines
        .windows(2)
        .filter(|w| w[0].page == w[1].page)
        .map(|w| step(&w[0], &w[1]))
        .filter(|&step| step > 0.5)
        .collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 4).copied().unwrap_or(1.2)
}

/// Distance between two baselines, in font sizes; negative if the second is higher.
fn step(above: &PdfLine, below: &PdfLine) -> f64 {
    (above.base - below.base) / above.size.max(below.size)
}

/// Whether a paragraph ends between two lines.
fn is_apart(above: &PdfLine, below: &PdfLine, usual: f64) -> bool {
    let (small, large) = (above.size.min(below.size), above.size.max(below.size));
    if above.page != below.page
        || (above.angle - below.angle).abs() > 0.1
        || large > small * PARAGRAPH_SIZE
    {
        return true;
    }
    match step(above, below) {
        // The next column begins higher up, and a sentence may continue there.
        step if step < 0.0 => above.text.ends_with(['.', '!', '?', ':', '…']),
        step => step > usual * PARAGRAPH_STEP,
    }
}

/// Replaces ligatures such as `ﬁ` by their letters.
fn without_ligatures(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{fb00}'..='\u{fb06}' => out.extend(c.nfkc()),
            _ => out.push(c),
        }
    }
    out
}

/// Returns where the text before a line must end for the line to continue its last word: before the
/// hyphen, or after it if `words` has the word with a hyphen. Returns `None` if no word continues.
fn hyphenated_end(before: &str, line: &str, words: &BTreeSet<&str>) -> Option<usize> {
    let first = line.split_whitespace().next()?;
    if let Some(stem) = before.strip_suffix('\u{ad}') {
        return Some(stem.len());
    }
    let stem = before.strip_suffix(['-', '\u{2010}'])?;
    let last = stem.rsplit(char::is_whitespace).next()?;
    if !last.ends_with(char::is_alphanumeric) {
        return None;
    }
    // The hyphen of "3-5", "COVID-19" or "Jean-Paul" is part of the word.
    let continues = first.starts_with(char::is_lowercase) && last.chars().all(char::is_alphabetic);
    let hyphenated = format!("{last}-{}", trim_punctuation(first));
    if continues && !words.contains(&*hyphenated) { Some(stem.len()) } else { Some(before.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(lines: &[(u32, f64, f64, &str)]) -> String {
        let lines: Vec<PdfLine> = lines
            .iter()
            .map(|&(page, size, base, text)| PdfLine {
                page,
                size,
                base,
                text: text.to_owned(),
                ..PdfLine::default()
            })
            .collect();
        text(&lines)
    }

    #[test]
    fn a_wider_step_a_larger_font_and_a_new_page_end_a_paragraph() {
        for pitch in [12.0, 20.0] {
            let y = |line: f64| 700.0 - line * pitch;
            let lines = [
                (1, 16.0, y(-1.0), "Heading"),
                (1, 10.0, y(0.0), "One"),
                (1, 10.0, y(1.0), "goes on."),
                (1, 10.0, y(2.0), "And on."),
                (1, 10.0, y(3.5), "Two"),
                (2, 10.0, y(0.0), "Three"),
            ];
            assert_eq!(text_of(&lines), "Heading\n\nOne\ngoes on.\nAnd on.\n\nTwo\n\nThree");
        }
    }

    #[test]
    fn a_paragraph_may_continue_in_the_next_column() {
        let lines =
            [(1, 10.0, 500.0, "This"), (1, 10.0, 700.0, "goes on."), (1, 10.0, 720.0, "This not.")];
        assert_eq!(text_of(&lines), "This\ngoes on.\n\nThis not.");
    }

    #[test]
    fn hyphenated_words_are_joined_if_it_is_safe() {
        let join = |a: &str, b: &str, more: &str| {
            text_of(&[(1, 10.0, 700.0, a), (1, 10.0, 688.0, b), (1, 10.0, 676.0, more)])
        };
        let cases = [
            ("an exam-", "ple.", "", "an example."),
            ("an exam\u{ad}", "ple.", "", "an example."),
            ("a well-", "known one", "", "a wellknown one"),
            ("a well-", "known one", "Well, well-known.", "a well-known one\nWell, well-known."),
            ("pages 3-", "5 of", "", "pages 3-5 of"),
            ("Jean-", "Paul", "", "Jean-Paul"),
            ("one -", "two", "", "one -\ntwo"),
            ("the ﬁrst", "oﬃce", "", "the first\noffice"),
        ];
        for (a, b, more, expected) in cases {
            assert_eq!(join(a, b, more).trim_end(), expected);
        }
    }
}
