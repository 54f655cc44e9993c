//! The top-level blocks of a document, and its words without their markup.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::{Document, sentence::sentences};

/// What a block is; the units are the pieces that it may be split into, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Heading {
        level: u8,
        title: String,
    },
    /// Paragraphs and quotations (units: sentences), lists (items) and code (lines).
    Content,
    /// A table; `header` is repeated when its rows are split.
    Table {
        header: String,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub kind: Kind,
    pub range: Range<usize>,
    pub units: Vec<Range<usize>>,
}

/// A run of words in the source and what is written before it in plain text.
#[derive(Debug)]
struct Piece {
    range: Range<usize>,
    separator: &'static str,
    /// The words, where they are not simply the source (entities, code spans).
    replaced: Option<String>,
}

/// A document taken apart.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub blocks: Vec<Block>,
    pieces: Vec<Piece>,
}

impl Parsed {
    pub(crate) fn new(doc: &Document) -> Self {
        if doc.is_markdown {
            markdown(doc)
        } else {
            plain(doc)
        }
    }

    /// The words of a span without markup: list items begin with `- `, table cells are parted by
    /// ` | `, headings are left out.
    pub(crate) fn words(&self, doc: &Document, span: Range<usize>) -> String {
        let first = self.pieces.partition_point(|p| p.range.end <= span.start);
        let mut out = String::new();
        for piece in self.pieces[first..]
            .iter()
            .take_while(|p| p.range.start < span.end)
        {
            let words = match &piece.replaced {
                Some(words) => words.as_str(),
                None => {
                    let from = piece.range.start.max(span.start);
                    let to = piece.range.end.min(span.end);
                    &doc.text[from..to]
                }
            };
            if !out.is_empty() || piece.separator.ends_with("- ") {
                out.push_str(if out.is_empty() {
                    "- "
                } else {
                    piece.separator
                });
            }
            out.push_str(words);
        }
        let tidy: Vec<&str> = out
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        tidy.join("\n").trim().to_owned()
    }
}

/// The text of the first heading of a Markdown document.
pub(crate) fn first_heading(doc: &Document) -> Option<String> {
    Parsed::new(doc)
        .blocks
        .into_iter()
        .find_map(|block| match block.kind {
            Kind::Heading { title, .. } if !title.is_empty() => Some(title),
            _ => None,
        })
}

fn plain(doc: &Document) -> Parsed {
    let mut blocks = Vec::new();
    let mut pieces = Vec::new();
    let mut start = None;
    let mut end = doc.body.start;
    let mut offset = doc.body.start;
    let mut close = |start: &mut Option<usize>, end: usize| {
        if let Some(from) = start.take() {
            let range = trimmed(&doc.text, from..end);
            pieces.push(Piece {
                range: range.clone(),
                separator: "\n",
                replaced: None,
            });
            blocks.push(content(doc, range));
        }
    };
    for line in doc.text[doc.body.clone()].split_inclusive('\n') {
        if line.trim().is_empty() {
            close(&mut start, end);
        } else {
            start.get_or_insert(offset);
            end = offset + line.len();
        }
        offset += line.len();
    }
    close(&mut start, end);
    Parsed { blocks, pieces }
}

fn markdown(doc: &Document) -> Parsed {
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
            Event::Code(words) => self.word(&words, range),
            // A tag is no word; what stands between the tags of a block is.
            Event::Html(words) => self.word(&without_tags(&words), range),
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
        match tag {
            Tag::Item => self.separator = "\n- ",
            Tag::TableCell if self.separator == "\n" => {}
            Tag::TableCell => self.separator = " | ",
            Tag::Paragraph if self.separator == "\n- " => {}
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {}
            _ => self.separator = "\n",
        }
        let is_unit = self.depth == 1 && matches!(tag, Tag::Item | Tag::TableRow | Tag::TableHead);
        if let (true, Some(open)) = (is_unit, &mut self.open) {
            open.units.push(trimmed(&self.doc.text, range));
        }
        self.depth += 1;
    }

    fn word(&mut self, words: &str, range: Range<usize>) {
        if let Some(Open {
            heading: Some((_, title)),
            ..
        }) = &mut self.open
        {
            if !title.is_empty() {
                title.push_str(if self.separator == " " { " " } else { "" });
            }
            title.push_str(words);
            self.separator = "";
            return;
        }
        let same = self.doc.text[range.clone()] == *words;
        self.pieces.push(Piece {
            range,
            separator: std::mem::take(&mut self.separator),
            replaced: (!same).then(|| words.to_owned()),
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
            let kind = open
                .header
                .map_or(Kind::Content, |header| Kind::Table { header });
            self.blocks.push(Block {
                kind,
                range,
                units: open.units,
            });
        }
    }
}

/// A line of HTML without its tags and comments.
fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let end = if tag.starts_with("!--") { "-->" } else { ">" };
        rest = tag.split_once(end).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

fn content(doc: &Document, range: Range<usize>) -> Block {
    let units = sentences(&doc.text[range.clone()])
        .into_iter()
        .map(|r| r.start + range.start..r.end + range.start)
        .collect();
    Block {
        kind: Kind::Content,
        range,
        units,
    }
}

fn lines(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut offset = range.start;
    let mut out = Vec::new();
    for line in text[range].split_inclusive('\n') {
        out.push(offset..offset + line.len());
        offset += line.len();
    }
    out
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = start + piece.trim().len();
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let doc = Document::markdown("d", text);
        Parsed::new(&doc).words(&doc, 0..text.len())
    }

    #[test]
    fn words_lose_their_markup_and_keep_their_order() {
        assert_eq!(
            words("The **past** of `eat`\nis *ate*, &amp; so on."),
            "The past of eat is ate, & so on."
        );
        assert_eq!(
            words("- one\n- two\n  - three\n\nEnd [here](x.md)."),
            "- one\n- two\n- three\nEnd here."
        );
        assert_eq!(words("| a | b |\n|---|---|\n| 1 | 2 |\n"), "a | b\n1 | 2");
    }

    #[test]
    fn tags_and_comments_are_no_words() {
        assert_eq!(words("A<br>b <i>c</i>."), "Ab c.");
        assert_eq!(
            words("<div>Kept <b>text</b></div>\n\nNext.\n"),
            "Kept text\nNext."
        );
        assert_eq!(words("<!-- a note -->\n\nText.\n"), "Text.");
    }

    #[test]
    fn a_hash_in_a_code_fence_is_no_heading() {
        let doc = Document::markdown("d", "```\n# no\n```\n\n# Yes *it* is\n");
        let parsed = Parsed::new(&doc);
        assert_eq!(parsed.blocks[0].kind, Kind::Content);
        assert_eq!(
            parsed.blocks[1].kind,
            Kind::Heading {
                level: 1,
                title: "Yes it is".into()
            }
        );
    }

    #[test]
    fn tables_know_their_header_and_rows() {
        let doc = Document::markdown(
            "d",
            "| verb | past |\n|---|---|\n| eat | ate |\n| go | went |\n",
        );
        let parsed = Parsed::new(&doc);
        assert_eq!(
            parsed.blocks[0].kind,
            Kind::Table {
                header: "verb | past".into()
            }
        );
        let rows: Vec<&str> = parsed.blocks[0]
            .units
            .iter()
            .map(|r| &doc.text[r.clone()])
            .collect();
        assert_eq!(rows, ["| verb | past |", "| eat | ate |", "| go | went |"]);
    }

    #[test]
    fn plain_text_has_paragraphs_and_no_headings() {
        let doc = Document::plain("d", "# not a heading\nstill one\r\n\r\nTwo. Three.");
        let parsed = Parsed::new(&doc);
        assert_eq!(parsed.blocks.len(), 2);
        assert_eq!(parsed.blocks[1].units.len(), 2);
    }
}
