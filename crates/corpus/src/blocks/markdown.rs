//! From Markdown events to blocks and text runs.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{
    Block, BlockKind, Parsed, TextRun, content,
    html::{is_inline, tag_name, texts},
    lines, trimmed,
};
use crate::Document;

/// Stands for an empty cell of a table, so that the others stay in their columns.
const EMPTY_CELL: &str = "-";

pub(super) fn markdown(doc: &Document) -> Parsed {
    let body = &doc.text[doc.body.clone()];
    let base = doc.body.start;
    let mut builder = BlockBuilder {
        doc,
        parsed: Parsed::default(),
        separator: "",
        depth: 0,
        cell: None,
        row_end: 0,
        open: None,
    };
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        builder.event(event, range.start + base..range.end + base);
    }
    builder.parsed
}

/// The top-level block that is being read.
#[derive(Default)]
struct OpenBlock {
    /// Level and text of a heading.
    heading: Option<(u8, String)>,
    /// Whether it is code or HTML, whose units are lines.
    is_code: bool,
    /// Bytes of each top-level item or row so far.
    units: Vec<Range<usize>>,
    /// Header row of a table.
    header: Option<String>,
}

struct BlockBuilder<'a> {
    doc: &'a Document,
    parsed: Parsed,
    /// Separator before the next run.
    separator: &'static str,
    /// Number of open elements.
    depth: usize,
    /// Number of runs before the cell of a table that is being read.
    cell: Option<usize>,
    /// End of the row of a table that is being read.
    row_end: usize,
    open: Option<OpenBlock>,
}

impl BlockBuilder<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(words) => self.text(&words, range),
            Event::Code(words) => self.code(&words, range),
            Event::SoftBreak => self.separator = " ",
            Event::HardBreak => self.separator = "\n",
            Event::InlineHtml(tag) if !tag_name(&tag).is_none_or(is_inline) => {
                self.separator = if self.cell.is_some() { " " } else { "\n" };
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        if self.depth == 0 {
            let heading = match tag {
                Tag::Heading { level, .. } => Some((*level as u8, String::new())),
                _ => None,
            };
            self.open = Some(OpenBlock {
                heading,
                is_code: matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock),
                ..OpenBlock::default()
            });
        }
        let is_unit = self.depth == 1 && matches!(tag, Tag::Item | Tag::TableRow | Tag::TableHead);
        if is_unit && let Some(open) = &mut self.open {
            open.units.push(trimmed(&self.doc.text, range.clone()));
        }
        match tag {
            Tag::Item => self.separator = "\n- ",
            Tag::TableCell if self.separator == "\n" => {}
            Tag::TableCell => self.separator = " | ",
            Tag::Paragraph if self.separator == "\n- " => {}
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {}
            _ => self.separator = "\n",
        }
        match tag {
            Tag::TableRow | Tag::TableHead => {
                self.row_end = range.start + self.doc.text[range.clone()].trim_end().len()
            }
            Tag::TableCell => self.cell = Some(self.parsed.runs.len()),
            _ => {}
        }
        if let Tag::HtmlBlock = tag {
            for (starts_line, range) in texts(&self.doc.text, range) {
                if starts_line {
                    self.separator = "\n";
                }
                self.push_run(range, None);
            }
        }
        self.depth += 1;
    }

    fn text(&mut self, words: &str, range: Range<usize>) {
        // The parser reports the indentation of an HTML block after its start. Runs are in order.
        if self.parsed.runs.last().is_some_and(|run| run.range.start > range.start) {
            return;
        }
        if let Some(OpenBlock { heading: Some((_, title)), .. }) = &mut self.open {
            if !title.is_empty() && self.separator == " " {
                title.push(' ');
            }
            title.push_str(words);
        }
        let is_source = self.doc.text[range.clone()] == *words;
        self.push_run(range, (!is_source).then(|| words.to_owned()));
    }

    /// Adds a code span without its backticks, so that chunks may divide it. A span with a line
    /// break is added word by word.
    fn code(&mut self, words: &str, range: Range<usize>) {
        let doc = self.doc;
        let find = |word: &str, from: usize| {
            let start = from + doc.text[from..range.end].find(word)?;
            Some(start..start + word.len())
        };
        if let Some(whole) = find(words, range.start) {
            return self.text(words, whole);
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for word in words.split_whitespace() {
            let from = ranges.last().map_or(range.start, |previous| previous.end);
            match find(word, from) {
                Some(found) => ranges.push(found),
                None => return self.text(words, range),
            }
        }
        for (index, range) in ranges.into_iter().enumerate() {
            if index > 0 {
                self.separator = " ";
            }
            self.text(&doc.text[range.clone()], range);
        }
    }

    fn push_run(&mut self, range: Range<usize>, replaced: Option<String>) {
        let in_heading = matches!(&self.open, Some(OpenBlock { heading: Some(_), .. }));
        self.parsed.runs.push(TextRun {
            range,
            separator: std::mem::take(&mut self.separator),
            replaced,
            in_heading,
        });
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        self.depth -= 1;
        if tag == TagEnd::TableCell && self.cell.take() == Some(self.parsed.runs.len()) {
            // A row may end before its last cells.
            let last = range.start.min(self.row_end.saturating_sub(1));
            let start = self.doc.text.floor_char_boundary(last);
            let length = self.doc.text[start..].chars().next().map_or(0, char::len_utf8);
            self.push_run(start..start + length, Some(EMPTY_CELL.to_owned()));
        }
        if tag == TagEnd::TableHead && self.depth == 1 {
            let first = self.parsed.runs.partition_point(|run| run.range.start < range.start);
            let runs = &self.parsed.runs[first..];
            let is_empty = runs.iter().all(|run| run.replaced.as_deref() == Some(EMPTY_CELL));
            if is_empty {
                self.parsed.runs.truncate(first);
            }
            let header = self.parsed.words(self.doc, range.clone(), true);
            if let Some(open) = &mut self.open {
                open.header = Some(header);
            }
        }
        if self.depth > 0 {
            return;
        }
        self.separator = "\n";
        let Some(open) = self.open.take() else { return };
        let range = trimmed(&self.doc.text, range);
        let block = if let Some((level, title)) = open.heading {
            Block {
                kind: BlockKind::Heading { level, title: title.trim().to_owned() },
                range,
                units: Vec::new(),
            }
        } else if range.is_empty() {
            return;
        } else if open.is_code {
            Block { kind: BlockKind::Content, units: lines(&self.doc.text, range.clone()), range }
        } else if let Some(first) = open.units.first() {
            let rows = first.end;
            let kind =
                open.header.map_or(BlockKind::Content, |header| BlockKind::Table { header, rows });
            Block { kind, range, units: open.units }
        } else {
            content(self.doc, range)
        };
        self.parsed.blocks.push(block);
    }
}
