//! The top-level blocks of a document, and its words without their markup.

use std::ops::Range;

use fiel_text::{SentenceRules, sentences};

use crate::Document;

mod markdown;

use markdown::markdown;

/// What a block is; the units are the pieces that it may be split into, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Heading {
        level: u8,
        title: String,
    },
    /// Paragraphs and quotations (units: sentences), lists (items) and code (lines).
    Content,
    /// A table; `header` is repeated when its rows, which begin at byte `rows`, are split.
    Table {
        header: String,
        rows: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The words, where they are not simply the source (an entity). They go with the first byte.
    replaced: Option<String>,
    in_heading: bool,
}

/// A document taken apart.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub blocks: Vec<Block>,
    pieces: Vec<Piece>,
}

impl Parsed {
    pub(crate) fn new(doc: &Document) -> Self {
        let mut parsed = if doc.is_markdown {
            markdown(doc)
        } else {
            plain(doc)
        };
        // A first heading that repeats the title is not said twice.
        if let Some(Block { kind, range, .. }) = parsed.blocks.first()
            && matches!(kind, Kind::Heading { title, .. } if *title == doc.title)
        {
            let pieces = parsed.pieces.partition_point(|p| p.range.end <= range.end);
            parsed.pieces.drain(..pieces);
        }
        parsed
    }

    /// The words of a span without markup: list items begin with `- `, table cells are parted by
    /// ` | `, headings are left out.
    pub(crate) fn words(&self, doc: &Document, span: Range<usize>) -> String {
        self.join(doc, span, |piece| !piece.in_heading)
    }

    /// As [`Self::words`], each heading on a line of its own, but for one that is the title.
    pub(crate) fn words_and_headings(&self, doc: &Document, span: Range<usize>) -> String {
        self.join(doc, span, |_| true)
    }

    fn join(&self, doc: &Document, span: Range<usize>, wanted: impl Fn(&Piece) -> bool) -> String {
        let first = self.pieces.partition_point(|p| p.range.end <= span.start);
        let mut out = String::new();
        for piece in self.pieces[first..]
            .iter()
            .take_while(|p| p.range.start < span.end)
            .filter(|p| wanted(p))
        {
            let words = match &piece.replaced {
                Some(_) if piece.range.start < span.start => continue,
                Some(words) => words.as_str(),
                None => {
                    let from = piece.range.start.max(span.start);
                    let to = piece.range.end.min(span.end);
                    &doc.text[from..to]
                }
            };
            // A piece that the span cuts into is not the beginning of its item.
            let separator = if piece.range.start < span.start {
                ""
            } else {
                piece.separator
            };
            if out.is_empty() {
                out.push_str(separator.trim_start_matches(['\n', ' ', '|']));
            } else {
                out.push_str(separator);
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

    /// Where each word of the document stands, headings included: what white space or a line
    /// parts from the next.
    pub(crate) fn word_ranges(&self, doc: &Document) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        let mut open = false;
        let mut add = |range: Range<usize>, is_space: bool, starts: bool| {
            open &= !starts;
            match out.last_mut() {
                _ if is_space => {}
                Some(last) if open => last.end = range.end,
                _ => out.push(range),
            }
            open = !is_space;
        };
        for piece in &self.pieces {
            let starts = !piece.separator.is_empty();
            if let Some(words) = &piece.replaced {
                add(piece.range.clone(), words.trim().is_empty(), starts);
                continue;
            }
            let text = &doc.text[piece.range.clone()];
            for (at, c) in text.char_indices() {
                let start = piece.range.start + at;
                add(
                    start..start + c.len_utf8(),
                    c.is_whitespace(),
                    starts && at == 0,
                );
            }
        }
        out
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
                in_heading: false,
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

fn content(doc: &Document, range: Range<usize>) -> Block {
    Block {
        kind: Kind::Content,
        units: sentences(&doc.text, range.clone(), SentenceRules::Document),
        range,
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
        assert_eq!(words("<!-- a note\nof two lines -->\n\nText.\n"), "Text.");
    }

    #[test]
    fn a_span_may_cut_into_a_piece() {
        let text = "- a `b c` &amp; **d**e\n";
        let doc = Document::markdown("d", text);
        let parsed = Parsed::new(&doc);
        let words: Vec<&str> = parsed
            .word_ranges(&doc)
            .into_iter()
            .map(|r| &text[r])
            .collect();
        assert_eq!(words, ["a", "b", "c", "&amp;", "d**e"]);
        let of = |from: &str| parsed.words(&doc, text.find(from).expect("there")..text.len());
        assert_eq!(of("c`"), "c & de");
        assert_eq!(of("amp"), "de");
    }

    #[test]
    fn a_heading_that_is_the_title_is_not_repeated() {
        let text = "# Eat\n\nIt is.\n\n## Past *of* it\n\nAte.\n";
        let doc = Document::markdown("d", text);
        let parsed = Parsed::new(&doc);
        assert_eq!(
            parsed.words_and_headings(&doc, 0..text.len()),
            "It is.\nPast of it\nAte."
        );
        assert_eq!(parsed.words(&doc, 0..text.len()), "It is.\nAte.");
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
                header: "verb | past".into(),
                rows: 15,
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
