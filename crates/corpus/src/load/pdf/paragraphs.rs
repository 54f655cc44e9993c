//! Lines to paragraphs.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::lines::Line;

/// A step to the next line that is longer than the usual one by this factor ends a paragraph.
const WIDER: f64 = 1.25;

/// A line whose letters are larger than those of its neighbour by this factor is a paragraph of
/// its own, as a heading is.
const LARGER: f64 = 1.15;

/// The text of a document: a blank line between paragraphs and pages, words that a hyphen parts
/// at the end of a line put together again.
pub(super) fn text(lines: &[Line]) -> String {
    let usual = usual_step(lines);
    let lines: Vec<(String, bool)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let starts = at > 0 && is_apart(&lines[at - 1], line, usual);
            (without_ligatures(&line.text), starts)
        })
        .collect();
    let words: BTreeSet<&str> = lines.iter().flat_map(|(text, _)| words(text)).collect();
    let mut out = String::new();
    for (line, starts_paragraph) in &lines {
        if out.is_empty() {
        } else if *starts_paragraph {
            out.push_str("\n\n");
        } else if let Some(cut) = hyphen(&out, line, &words) {
            out.truncate(cut);
        } else {
            out.push('\n');
        }
        out.push_str(line);
    }
    out
}

/// Distance of two lines of a paragraph, in font sizes: the lower quartile of the steps down.
fn usual_step(lines: &[Line]) -> f64 {
    let mut steps: Vec<f64> = lines
        .windows(2)
        .filter(|w| w[0].page == w[1].page)
        .map(|w| step(&w[0], &w[1]))
        .filter(|&step| step > 0.5)
        .collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 4).copied().unwrap_or(1.2)
}

fn step(above: &Line, below: &Line) -> f64 {
    (above.base - below.base) / above.size.max(below.size)
}

fn is_apart(above: &Line, below: &Line, usual: f64) -> bool {
    let (small, large) = (above.size.min(below.size), above.size.max(below.size));
    if above.page != below.page || (above.angle - below.angle).abs() > 0.1 || large > small * LARGER
    {
        return true;
    }
    match step(above, below) {
        // Up again, to the next column: a sentence may go on there.
        step if step < 0.0 => above.text.ends_with(['.', '!', '?', ':', '…']),
        step => step > usual * WIDER,
    }
}

/// `ﬁ` and its kin are letters of a font, not of a language.
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

/// Where the text before a line is cut so that the line continues its last word: before a
/// hyphen, or behind it where the word is written with one elsewhere. None when no word goes on.
fn hyphen(before: &str, line: &str, words: &BTreeSet<&str>) -> Option<usize> {
    let first = line.split_whitespace().next()?;
    if let Some(cut) = before.strip_suffix('\u{ad}') {
        return Some(cut.len());
    }
    let cut = before.strip_suffix(['-', '\u{2010}'])?;
    let last = cut.rsplit(char::is_whitespace).next()?;
    let is_letters = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    if !last.ends_with(char::is_alphanumeric) {
        return None;
    }
    // "3-5", "COVID-19", "Jean-Paul": the hyphen belongs to what it joins.
    let goes_on = first.starts_with(char::is_lowercase) && is_letters(last);
    let hyphened = format!("{last}-{}", bare(first));
    if goes_on && !words.contains(&*hyphened) {
        Some(cut.len())
    } else {
        Some(before.len())
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().map(bare)
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(lines: &[(u32, f64, f64, &str)]) -> String {
        let lines: Vec<Line> = lines
            .iter()
            .map(|&(page, size, base, text)| Line {
                page,
                size,
                base,
                text: text.to_owned(),
                ..Line::default()
            })
            .collect();
        text(&lines)
    }

    #[test]
    fn a_wider_step_a_larger_letter_and_a_page_end_a_paragraph() {
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
            assert_eq!(
                set(&lines),
                "Heading\n\nOne\ngoes on.\nAnd on.\n\nTwo\n\nThree"
            );
        }
    }

    #[test]
    fn the_next_column_may_go_on() {
        let lines = [
            (1, 10.0, 500.0, "This"),
            (1, 10.0, 700.0, "goes on."),
            (1, 10.0, 720.0, "This not."),
        ];
        assert_eq!(set(&lines), "This\ngoes on.\n\nThis not.");
    }

    #[test]
    fn words_are_put_together_where_it_is_safe() {
        let join = |a: &str, b: &str, more: &str| {
            set(&[
                (1, 10.0, 700.0, a),
                (1, 10.0, 688.0, b),
                (1, 10.0, 676.0, more),
            ])
        };
        let cases = [
            ("an exam-", "ple.", "", "an example."),
            ("an exam\u{ad}", "ple.", "", "an example."),
            ("a well-", "known one", "", "a wellknown one"),
            (
                "a well-",
                "known one",
                "Well, well-known.",
                "a well-known one\nWell, well-known.",
            ),
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
