//! Markdown events to blocks and pieces.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Block, Kind, Parsed, Piece, content, lines, trimmed};
use crate::Document;

pub(super) fn markdown(doc: &Document) -> Parsed {
    let body = &doc.text[doc.body.clone()];
    let base = doc.body.start;
    let mut walk = Walk {
        doc,
        blocks: Vec::new(),
        pieces: Vec::new(),
        separator: "",
        depth: 0,
        open: None,
    };
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        walk.event(event, range.start + base..range.end + base);
    }
    Parsed {
        blocks: walk.blocks,
        pieces: walk.pieces,
    }
}

/// The top-level block that is being read.
struct Open {
    heading: Option<(u8, String)>,
    code: bool,
    /// Range of each top-level item or row so far.
    units: Vec<Range<usize>>,
    header: Option<String>,
}

struct Walk<'a> {
    doc: &'a Document,
    blocks: Vec<Block>,
    pieces: Vec<Piece>,
    separator: &'static str,
    depth: usize,
    open: Option<Open>,
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(words) => self.word(&words, range),
            Event::Code(words) => self.code(&words, range),
            Event::SoftBreak => self.separator = " ",
            Event::HardBreak => self.separator = "\n",
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        if self.depth == 0 {
            let heading = match tag {
                Tag::Heading { level, .. } => Some((*level as u8, String::new())),
                _ => None,
            };
            let code = matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
            self.open = Some(Open {
                heading,
                code,
                units: Vec::new(),
                header: None,
            });
        }
        let is_unit = self.depth == 1 && matches!(tag, Tag::Item | Tag::TableRow | Tag::TableHead);
        if let (true, Some(open)) = (is_unit, &mut self.open) {
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
        if let Tag::HtmlBlock = tag {
            for run in between_tags(&self.doc.text, range) {
                self.piece(run, None);
            }
        }
        self.depth += 1;
    }

    fn word(&mut self, words: &str, range: Range<usize>) {
        if let Some(Open {
            heading: Some((_, title)),
            ..
        }) = &mut self.open
        {
            if !title.is_empty() && self.separator == " " {
                title.push(' ');
            }
            title.push_str(words);
        }
        let same = self.doc.text[range.clone()] == *words;
        self.piece(range, (!same).then(|| words.to_owned()));
    }

    /// A code span without its backticks, so that it may be cut inside; word by word where it
    /// runs over a line end.
    fn code(&mut self, words: &str, range: Range<usize>) {
        let doc = self.doc;
        let find = |word: &str, from: usize| {
            let at = from + doc.text[from..range.end].find(word)?;
            Some(at..at + word.len())
        };
        if let Some(whole) = find(words, range.start) {
            return self.word(words, whole);
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        for word in words.split_whitespace() {
            let from = found.last().map_or(range.start, |before| before.end);
            match find(word, from) {
                Some(at) => found.push(at),
                None => return self.word(words, range),
            }
        }
        for (at, range) in found.into_iter().enumerate() {
            if at > 0 {
                self.separator = " ";
            }
            self.word(&doc.text[range.clone()], range);
        }
    }

    fn piece(&mut self, range: Range<usize>, replaced: Option<String>) {
        let in_heading = matches!(
            &self.open,
            Some(Open {
                heading: Some(_),
                ..
            })
        );
        self.pieces.push(Piece {
            range,
            separator: std::mem::take(&mut self.separator),
            replaced,
            in_heading,
        });
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        self.depth -= 1;
        if tag == TagEnd::TableHead && self.depth == 1 {
            let first = self.pieces.partition_point(|p| p.range.start < range.start);
            let doc = self.doc;
            let cells = self.pieces[first..].iter().map(|p| {
                p.replaced
                    .as_deref()
                    .unwrap_or(&doc.text[p.range.clone()])
                    .trim()
            });
            let header = cells.collect::<Vec<_>>().join(" | ");
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
        if let Some((level, title)) = open.heading {
            let kind = Kind::Heading {
                level,
                title: title.trim().to_owned(),
            };
            self.blocks.push(Block {
                kind,
                range,
                units: Vec::new(),
            });
        } else if range.is_empty() {
        } else if open.code {
            let units = lines(&self.doc.text, range.clone());
            self.blocks.push(Block {
                kind: Kind::Content,
                range,
                units,
            });
        } else if open.units.is_empty() {
            self.blocks.push(content(self.doc, range));
        } else {
            let rows = open.units[0].end;
            let kind = open
                .header
                .map_or(Kind::Content, |header| Kind::Table { header, rows });
            self.blocks.push(Block {
                kind,
                range,
                units: open.units,
            });
        }
    }
}

/// What stands between the tags and comments of a block of HTML.
fn between_tags(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = block.start;
    while from < block.end {
        let rest = &text[from..block.end];
        let tag = rest.find('<').unwrap_or(rest.len());
        if tag > 0 {
            out.push(from..from + tag);
        }
        let end = if rest[tag..].starts_with("<!--") {
            "-->"
        } else {
            ">"
        };
        from += rest[tag..]
            .find(end)
            .map_or(rest.len(), |at| tag + at + end.len());
    }
    out
}
