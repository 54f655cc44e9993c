//! The top-level blocks of a document, and its words without markup.

use std::ops::Range;

use fiel_text::{SentenceRules, sentences};

use crate::Document;

mod html;
mod markdown;

use markdown::markdown;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A heading, with its text without markup.
    Heading { level: u8, title: String },
    /// A paragraph or a quotation (units: sentences), a list (units: items) or code (units: lines).
    Content,
    /// A table (units: rows, the header row included).
    Table {
        /// The header row without markup, repeated in each chunk of the table.
        header: String,
        /// Byte at which the header row ends and the other rows begin.
        rows: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub kind: BlockKind,
    /// Bytes of the document's text.
    pub range: Range<usize>,
    /// The parts that the block may be split into, in order.
    pub units: Vec<Range<usize>>,
}

/// A run of text without markup.
#[derive(Debug)]
struct TextRun {
    /// Bytes of the document's text.
    range: Range<usize>,
    /// Separator from the run before, in plain text.
    separator: &'static str,
    /// The words, if they differ from the source, as of an entity. They belong to the first byte.
    replaced: Option<String>,
    in_heading: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub blocks: Vec<Block>,
    runs: Vec<TextRun>,
}

impl Parsed {
    pub(crate) fn new(doc: &Document) -> Self {
        let mut parsed = if doc.is_markdown { markdown(doc) } else { plain(doc) };
        // A first heading that repeats the title is left out of the words.
        if let Some(Block { kind, range, .. }) = parsed.blocks.first()
            && matches!(kind, BlockKind::Heading { title, .. } if *title == doc.title)
        {
            let runs = parsed.runs.partition_point(|run| run.range.end <= range.end);
            parsed.runs.drain(..runs);
        }
        parsed
    }

    /// Returns the words of a span without markup. List items begin with `- `, and ` | ` separates
    /// table cells. Each heading is on its own line, except for one that repeats the title, or left
    /// out.
    pub(crate) fn words(&self, doc: &Document, span: Range<usize>, with_headings: bool) -> String {
        let first = self.runs.partition_point(|run| run.range.end <= span.start);
        let mut out = String::new();
        // Code keeps the indentation of its first line.
        let mut is_indented = false;
        for run in self.runs[first..]
            .iter()
            .take_while(|run| run.range.start < span.end)
            .filter(|run| with_headings || !run.in_heading)
        {
            let is_cut = run.range.start < span.start;
            let words = match &run.replaced {
                Some(_) if is_cut => continue,
                Some(words) => words.as_str(),
                None => {
                    let start = run.range.start.max(span.start);
                    let end = run.range.end.min(span.end);
                    &doc.text[start..end]
                }
            };
            // The second part of a run does not begin its item.
            let separator = if is_cut { "" } else { run.separator };
            if out.is_empty() {
                let start = run.range.start.max(span.start);
                is_indented = run.replaced.is_none() && doc.text[..start].ends_with('\n');
                out.push_str(separator.trim_start_matches(['\n', ' ', '|']));
            } else {
                out.push_str(separator);
            }
            out.push_str(words);
        }
        let lines: Vec<&str> =
            out.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let text = lines.join("\n");
        let text =
            if is_indented { text.trim_start_matches(['\n', '\r']) } else { text.trim_start() };
        text.trim_end().to_owned()
    }

    /// Returns the bytes of each word of the document, including headings. White space and line
    /// breaks separate words.
    pub(crate) fn word_ranges(&self, doc: &Document) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        let mut in_word = false;
        let mut add = |range: Range<usize>, is_space: bool| {
            match out.last_mut() {
                _ if is_space => {}
                Some(last) if in_word => last.end = range.end,
                _ => out.push(range),
            }
            in_word = !is_space;
        };
        for run in &self.runs {
            if !run.separator.is_empty() {
                add(run.range.start..run.range.start, true);
            }
            if let Some(words) = &run.replaced {
                add(run.range.clone(), words.trim().is_empty());
                continue;
            }
            for (offset, c) in doc.text[run.range.clone()].char_indices() {
                let start = run.range.start + offset;
                add(start..start + c.len_utf8(), c.is_whitespace());
            }
        }
        out
    }
}

/// Returns the text of the first heading of a Markdown document.
pub(crate) fn first_heading(doc: &Document) -> Option<String> {
    Parsed::new(doc).blocks.into_iter().find_map(|block| match block.kind {
        BlockKind::Heading { title, .. } if !title.is_empty() => Some(title),
        _ => None,
    })
}

/// Parses a plain text: each run of lines that are not blank is a paragraph.
fn plain(doc: &Document) -> Parsed {
    let lines = lines(&doc.text, doc.body.clone());
    let mut parsed = Parsed::default();
    for paragraph in lines.split(|line| doc.text[line.clone()].trim().is_empty()) {
        let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else {
            continue;
        };
        let range = trimmed(&doc.text, first.start..last.end);
        parsed.runs.push(TextRun {
            range: range.clone(),
            separator: "\n",
            replaced: None,
            in_heading: false,
        });
        parsed.blocks.push(content(doc, range));
    }
    parsed
}

/// A block of prose, with its sentences as units.
fn content(doc: &Document, range: Range<usize>) -> Block {
    Block {
        kind: BlockKind::Content,
        units: sentences(&doc.text, range.clone(), SentenceRules::Document),
        range,
    }
}

/// Returns the bytes of each line of a range, including line endings.
fn lines(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut offset = range.start;
    let mut out = Vec::new();
    for line in text[range].split_inclusive('\n') {
        out.push(offset..offset + line.len());
        offset += line.len();
    }
    out
}

/// Returns a range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = start + inner.trim().len();
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let doc = Document::markdown("d", text);
        Parsed::new(&doc).words(&doc, 0..text.len(), false)
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
    fn every_cell_of_a_table_stays_in_its_column() {
        let table = |rows: &str| words(&format!("| a | b | c |\n|---|---|---|\n{rows}"));
        assert_eq!(
            table("| 7.1 |  | 500 |\n|  | 20 | |\n"),
            "a | b | c\n7.1 | - | 500\n- | 20 | -"
        );
        assert_eq!(table("x | ñ\n| x |\n"), "a | b | c\nx | ñ | -\nx | - | -");
        assert_eq!(
            table("| cat\\|dog | *b* `c` | noon<br>midnight |\n").lines().nth(1),
            Some("cat|dog | b c | noon midnight")
        );
        assert_eq!(words("|  |  |\n|---|---|\n| 1 | 2 |\n"), "1 | 2");
    }

    #[test]
    fn code_keeps_its_indentation() {
        let code = "```python\n    out = 0\n\n\tout += row\n    return out\n```\n";
        assert_eq!(words(code), "    out = 0\n\tout += row\n    return out");
        assert_eq!(words(&format!("# T\n\nText.\n\n{code}")).lines().nth(1), Some("    out = 0"));
        // A chunk may start at any line.
        let doc = Document::markdown("d", code);
        let from = code.find("    return").expect("in the text");
        assert_eq!(Parsed::new(&doc).words(&doc, from..code.len(), false), "    return out");
    }

    #[test]
    fn tags_and_comments_are_not_words() {
        assert_eq!(words("A<br>b <i>c</i>."), "A\nb c.");
        assert_eq!(words("<div>a</div><div>b</div>\n"), "a\nb");
        assert_eq!(words("<div>Kept <b>text</b></div>\n\nNext.\n"), "Kept text\nNext.");
        assert_eq!(words("<!-- a note -->\n\nText.\n"), "Text.");
        assert_eq!(words("<!-- a note\nof two lines -->\n\nText.\n"), "Text.");
    }

    #[test]
    fn an_indented_html_block_keeps_its_text() {
        let text = "  <!-- a note -->Text.\n";
        let doc = Document::markdown("d", text);
        let parsed = Parsed::new(&doc);
        assert_eq!(parsed.word_ranges(&doc), vec![17..22]);
        assert_eq!(parsed.words(&doc, 17..22, false), "Text.");
    }

    #[test]
    fn a_span_may_cut_a_run() {
        let text = "- a `b c` &amp; **d**e\n";
        let doc = Document::markdown("d", text);
        let parsed = Parsed::new(&doc);
        let words: Vec<&str> = parsed.word_ranges(&doc).into_iter().map(|r| &text[r]).collect();
        assert_eq!(words, ["a", "b", "c", "&amp;", "d**e"]);
        let words_from = |start: &str| {
            parsed.words(&doc, text.find(start).expect("in the text")..text.len(), false)
        };
        assert_eq!(words_from("c`"), "c & de");
        assert_eq!(words_from("amp"), "de");
    }

    #[test]
    fn a_heading_that_repeats_the_title_is_left_out() {
        let text = "# Eat\n\nIt is.\n\n## Past *of* it\n\nAte.\n";
        let doc = Document::markdown("d", text);
        let parsed = Parsed::new(&doc);
        assert_eq!(parsed.words(&doc, 0..text.len(), true), "It is.\nPast of it\nAte.");
        assert_eq!(parsed.words(&doc, 0..text.len(), false), "It is.\nAte.");
    }

    #[test]
    fn a_hash_in_a_code_fence_is_not_a_heading() {
        let doc = Document::markdown("d", "```\n# no\n```\n\n# Yes *it* is\n");
        let parsed = Parsed::new(&doc);
        assert_eq!(parsed.blocks[0].kind, BlockKind::Content);
        assert_eq!(
            parsed.blocks[1].kind,
            BlockKind::Heading { level: 1, title: "Yes it is".into() }
        );
    }

    #[test]
    fn a_table_has_a_header_and_rows() {
        let doc =
            Document::markdown("d", "| verb | past |\n|---|---|\n| eat | ate |\n| go | went |\n");
        let parsed = Parsed::new(&doc);
        assert_eq!(
            parsed.blocks[0].kind,
            BlockKind::Table { header: "verb | past".into(), rows: 15 }
        );
        let rows: Vec<&str> = parsed.blocks[0].units.iter().map(|r| &doc.text[r.clone()]).collect();
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
