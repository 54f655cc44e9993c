//! A Markdown text as blocks: paragraphs, list items, headings, lines of code.

use std::ops::Range;

use fiel_text::markup::fence_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerBlockKind {
    Text,
    Item,
    Heading,
    Code,
}

/// A range of the text without its list, quote or heading marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerBlock {
    pub kind: AnswerBlockKind,
    pub range: Range<usize>,
}

/// The blocks of a text that contain a letter, a digit or a bracket (which may be a citation).
///
/// A line break inside a paragraph separates blocks unless the next line starts with a lower-case
/// letter, a digit or an opening bracket, because documents may be hard-wrapped and answers are
/// not. Each row of a table and each line of code is a block.
pub(super) fn blocks(text: &str) -> Vec<AnswerBlock> {
    let mut blocks: Vec<AnswerBlock> = Vec::new();
    // Whether the next line may continue the last block.
    let mut open = false;
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(mark) = fence_of(line) {
            match fence {
                Some(opening) if mark.starts_with(opening) => fence = None,
                Some(_) => {}
                None => fence = Some(mark),
            }
            open = false;
            continue;
        }
        let (kind, content) =
            if fence.is_some() { (AnswerBlockKind::Code, line) } else { classify(line) };
        let content = content.trim();
        if !content.contains(|c: char| c.is_alphanumeric() || c == '[') {
            open = false;
            continue;
        }
        // `content` is a part of `line`, so the difference of addresses is its offset.
        let start = start + (content.as_ptr() as usize - line.as_ptr() as usize);
        let range = start..start + content.len();
        if kind == AnswerBlockKind::Text && open && continues(content) {
            if let Some(last) = blocks.last_mut() {
                last.range.end = range.end;
            }
        } else {
            blocks.push(AnswerBlock { kind, range });
            open = matches!(kind, AnswerBlockKind::Text | AnswerBlockKind::Item)
                && !content.starts_with('|');
        }
    }
    blocks
}

fn continues(line: &str) -> bool {
    line.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '(')
}

/// The kind of a line, and the line without its marker.
fn classify(line: &str) -> (AnswerBlockKind, &str) {
    let mut rest = line.trim_start();
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.trim_start();
    }
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && rest[hashes..].starts_with([' ', '\t', '\n', '\r']) {
        return (AnswerBlockKind::Heading, &rest[hashes..]);
    }
    match item_marker(rest) {
        Some(length) => (AnswerBlockKind::Item, &rest[length..]),
        None => (AnswerBlockKind::Text, rest),
    }
}

/// Length in bytes of a list marker and the blank after it. A marker is a bullet, one to three digits
/// with a full stop or a bracket, or one letter with a bracket.
fn item_marker(line: &str) -> Option<usize> {
    let blank = |at: usize| line[at..].starts_with([' ', '\t']).then_some(at + 1);
    let first = line.chars().next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '–' | '·') {
        return blank(first.len_utf8());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line[digits..].chars().next()? {
        '.' | ')' if (1..=3).contains(&digits) => blank(digits + 1),
        c if digits == 0 && c.is_ascii_alphabetic() && line[1..].starts_with(')') => blank(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_headings_code_and_paragraphs() {
        let text = "# Title\r\nOne line\ngoes on\nAnother\n\n- an item\n  wrapped\n2. second\n\
                    > a) quoted\n```\ncode x\n```\n| a | b |\n|---|---|\n| c | d |\nend";
        let got: Vec<_> =
            blocks(text).into_iter().map(|block| (block.kind, &text[block.range])).collect();
        let expected = [
            (AnswerBlockKind::Heading, "Title"),
            (AnswerBlockKind::Text, "One line\ngoes on"),
            (AnswerBlockKind::Text, "Another"),
            (AnswerBlockKind::Item, "an item\n  wrapped"),
            (AnswerBlockKind::Item, "second"),
            (AnswerBlockKind::Item, "quoted"),
            (AnswerBlockKind::Code, "code x"),
            (AnswerBlockKind::Text, "| a | b |"),
            (AnswerBlockKind::Text, "| c | d |"),
            (AnswerBlockKind::Text, "end"),
        ];
        assert_eq!(got, expected);
    }

    #[test]
    fn a_number_or_a_dash_does_not_make_a_list() {
        for text in ["3.5 is a number", "2019 was a year", "-ing is a suffix", "1.2.3"] {
            assert_eq!(blocks(text)[0].kind, AnswerBlockKind::Text, "{text}");
            assert_eq!(blocks(text)[0].range, 0..text.len());
        }
    }
}
