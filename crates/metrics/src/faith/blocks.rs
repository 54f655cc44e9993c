//! A Markdown text as blocks: paragraphs, list items, headings, lines of code.

use std::ops::Range;

use fiel_text::markup::fence_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Item,
    Heading,
    Code,
}

/// A stretch of the text without its list, quote or heading marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The blocks of a text that hold a letter or a digit, or a bracket (which may
/// be a citation).
///
/// A line break inside a paragraph separates blocks unless the next line goes
/// on in lower case, with a digit or with an opening bracket: answers are not
/// hard-wrapped, documents may be. Rows of a table and lines of code are blocks.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Whether the last block may take a further line.
    let mut open = false;
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(mark) = fence_of(line) {
            match fence {
                Some(begun) if mark.starts_with(begun) => fence = None,
                Some(_) => {}
                None => fence = Some(mark),
            }
            open = false;
            continue;
        }
        let (kind, content) = if fence.is_some() {
            (Kind::Code, line)
        } else {
            classify(line)
        };
        let content = content.trim();
        if !content.contains(|c: char| c.is_alphanumeric() || c == '[') {
            open = false;
            continue;
        }
        // `content` is a part of `line`, so its place in it is the difference of addresses.
        let start = start + (content.as_ptr() as usize - line.as_ptr() as usize);
        let range = start..start + content.len();
        if kind == Kind::Text && open && goes_on(content) {
            if let Some(last) = blocks.last_mut() {
                last.range.end = range.end;
            }
        } else {
            blocks.push(Block { kind, range });
            open = matches!(kind, Kind::Text | Kind::Item) && !content.starts_with('|');
        }
    }
    blocks
}

fn goes_on(line: &str) -> bool {
    line.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '(')
}

/// Kind of a line and the line without its marker.
fn classify(line: &str) -> (Kind, &str) {
    let mut rest = line.trim_start();
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.trim_start();
    }
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && rest[hashes..].starts_with([' ', '\t', '\n', '\r']) {
        return (Kind::Heading, &rest[hashes..]);
    }
    match item_marker(rest) {
        Some(length) => (Kind::Item, &rest[length..]),
        None => (Kind::Text, rest),
    }
}

/// Length of a list marker: a bullet, or up to three digits or one letter with
/// a bracket or (digits only) a full stop, and a blank after it.
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
        let got: Vec<_> = blocks(text)
            .into_iter()
            .map(|block| (block.kind, &text[block.range]))
            .collect();
        let expected = [
            (Kind::Heading, "Title"),
            (Kind::Text, "One line\ngoes on"),
            (Kind::Text, "Another"),
            (Kind::Item, "an item\n  wrapped"),
            (Kind::Item, "second"),
            (Kind::Item, "quoted"),
            (Kind::Code, "code x"),
            (Kind::Text, "| a | b |"),
            (Kind::Text, "| c | d |"),
            (Kind::Text, "end"),
        ];
        assert_eq!(got, expected);
    }

    #[test]
    fn a_number_or_a_dash_at_the_head_of_a_line_is_no_list() {
        for text in [
            "3.5 is a number",
            "2019 was a year",
            "-ing is a suffix",
            "1.2.3",
        ] {
            assert_eq!(blocks(text)[0].kind, Kind::Text, "{text}");
            assert_eq!(blocks(text)[0].range, 0..text.len());
        }
    }
}
