use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    Document, Error,
    blocks::{Block, Kind, Parsed},
    sentence::hard_split,
};

/// A passage: what is embedded, indexed, retrieved and shown to the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// `document#ordinal`, ordinals from 1.
    pub id: String,
    /// The document.
    pub doc: String,
    /// Place in the document, from 1.
    pub ordinal: usize,
    /// Bytes of the file that the chunk stands for, its heading line included.
    pub span: Range<usize>,
    /// Title of the document, then the headings above the chunk.
    pub heading: Vec<String>,
    /// The words of the span without markup and headings.
    pub text: String,
}

impl Chunk {
    /// Headings and text, as they are embedded and read: `Title > Heading: text`.
    pub fn passage(&self) -> String {
        match self.heading.is_empty() {
            true => self.text.clone(),
            false => format!("{}: {}", self.heading.join(" > "), self.text),
        }
    }
}

/// Cuts documents by their structure. Blocks under one heading are packed into chunks of at most
/// `size` tokens, headings counted; a block that is longer is cut between its sentences, items,
/// rows (the header row is repeated) or lines; `overlap` tokens are repeated from the chunk
/// before under the same heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunker {
    size: usize,
    overlap: usize,
}

/// A piece of a block that is never cut again, and the table header it needs.
struct Unit<'a> {
    range: Range<usize>,
    header: Option<&'a str>,
    /// Tokens of the header, which the first unit of a chunk brings with it.
    head: usize,
    tokens: usize,
}

impl Chunker {
    /// # Errors
    /// [`Error::BadChunking`] when `size < 8` or `overlap >= size`.
    pub fn new(size: usize, overlap: usize) -> Result<Self, Error> {
        if size < 8 || overlap >= size {
            return Err(Error::BadChunking { size, overlap });
        }
        Ok(Self { size, overlap })
    }

    /// The chunks of a document in order; none when it has no text. `count` gives the number of
    /// tokens of a text.
    pub fn chunks(&self, doc: &Document, count: &dyn Fn(&str) -> usize) -> Vec<Chunk> {
        let parsed = Parsed::new(doc);
        let mut out = Output {
            doc,
            parsed: &parsed,
            chunks: Vec::new(),
        };
        let mut path: Vec<(u8, String)> = Vec::new();
        let mut start = None;
        let mut section: Vec<&Block> = Vec::new();
        for block in &parsed.blocks {
            if let Kind::Heading { level, title } = &block.kind {
                if !section.is_empty() {
                    self.section(&mut out, &path, start.take(), &section, count);
                    section.clear();
                }
                path.retain(|(above, _)| above < level);
                path.push((*level, title.clone()));
                start.get_or_insert(block.range.start);
            } else {
                section.push(block);
            }
        }
        if !section.is_empty() {
            self.section(&mut out, &path, start, &section, count);
        }
        out.chunks
    }

    /// Packs the blocks under one heading. `start` is where the headings above them begin.
    fn section(
        &self,
        out: &mut Output<'_>,
        path: &[(u8, String)],
        start: Option<usize>,
        blocks: &[&Block],
        count: &dyn Fn(&str) -> usize,
    ) {
        let heading = heading_path(&out.doc.title, path);
        let head = if heading.is_empty() {
            0
        } else {
            count(&heading.join(" > "))
        };
        // A heading may not take the whole chunk: half of it stays for text.
        let room = self.size.saturating_sub(head).max(self.size / 2).max(1);
        let units = self.units(out, blocks, room, count);
        let mut from = 0;
        let mut begin = start;
        while from < units.len() {
            let mut tokens = units[from].tokens + units[from].head;
            let mut to = from + 1;
            while to < units.len() && tokens + units[to].tokens <= room {
                tokens += units[to].tokens;
                to += 1;
            }
            out.push(&heading, begin.take(), &units[from..to]);
            if to == units.len() {
                break;
            }
            // Step back over whole units while they fit the overlap and leave room to advance.
            let mut next = to;
            let mut repeated = 0;
            while next > from + 1
                && repeated + units[next - 1].tokens <= self.overlap
                && units[next - 1].head + repeated + units[next - 1].tokens + units[to].tokens
                    <= room
            {
                next -= 1;
                repeated += units[next].tokens;
            }
            from = next;
        }
    }

    fn units<'a>(
        &self,
        out: &Output<'_>,
        blocks: &[&'a Block],
        room: usize,
        count: &dyn Fn(&str) -> usize,
    ) -> Vec<Unit<'a>> {
        let mut units = Vec::new();
        for block in blocks {
            let tokens = count(&out.parsed.words(out.doc, block.range.clone()));
            let fits_overlap = self.overlap == 0 || tokens <= self.overlap;
            if tokens <= room && (fits_overlap || block.units.len() == 1) {
                units.push(Unit {
                    range: block.range.clone(),
                    header: None,
                    head: 0,
                    tokens,
                });
                continue;
            }
            let header = match &block.kind {
                Kind::Table { header } => Some(header.as_str()),
                _ => None,
            };
            let head = header.map_or(0, count);
            for (at, unit) in block.units.iter().enumerate() {
                // The header row itself needs no repetition.
                let header = header.filter(|_| at > 0);
                let words = |r: Range<usize>| count(&out.parsed.words(out.doc, r));
                let fits = words(unit.clone()) + head <= room;
                let pieces = if fits {
                    vec![unit.clone()]
                } else {
                    hard_split(
                        &out.doc.text,
                        unit.clone(),
                        room.saturating_sub(head).max(1),
                        count,
                    )
                };
                units.extend(pieces.into_iter().map(|range| {
                    let tokens = words(range.clone());
                    Unit {
                        range,
                        header,
                        head: header.map_or(0, |_| head),
                        tokens,
                    }
                }));
            }
        }
        units
    }
}

/// The title, then the headings; a first heading that repeats the title is written once.
fn heading_path(title: &str, path: &[(u8, String)]) -> Vec<String> {
    let mut heading = vec![title.to_owned()];
    heading.extend(path.iter().map(|(_, text)| text.clone()));
    heading.retain(|part| !part.is_empty());
    heading.dedup();
    heading
}

struct Output<'a> {
    doc: &'a Document,
    parsed: &'a Parsed,
    chunks: Vec<Chunk>,
}

impl Output<'_> {
    fn push(&mut self, heading: &[String], begin: Option<usize>, units: &[Unit<'_>]) {
        let (Some(first), Some(last)) = (units.first(), units.last()) else {
            return;
        };
        let words = self
            .parsed
            .words(self.doc, first.range.start..last.range.end);
        if words.is_empty() {
            return;
        }
        let text = match first.header {
            Some(header) => format!("{header}\n{words}"),
            None => words,
        };
        let ordinal = self.chunks.len() + 1;
        self.chunks.push(Chunk {
            id: format!("{}#{ordinal}", self.doc.id),
            doc: self.doc.id.clone(),
            ordinal,
            span: begin.unwrap_or(first.range.start)..last.range.end,
            heading: heading.to_vec(),
            text,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn cut(size: usize, overlap: usize, text: &str) -> Vec<Chunk> {
        let doc = Document::markdown("d", text);
        Chunker::new(size, overlap)
            .expect("valid")
            .chunks(&doc, &words)
    }

    #[test]
    fn one_chunk_a_section_with_its_headings() {
        let text = "---\ntitle: Eat\n---\n# Eat\n\nIntro here.\n\n## Past\n\nThe past is *ate*.\n\n- one\n- two\n";
        let chunks = cut(40, 0, text);
        assert_eq!(chunks.len(), 2);
        assert_eq!(chunks[0].passage(), "Eat: Intro here.");
        assert_eq!(
            chunks[1].passage(),
            "Eat > Past: The past is ate.\n- one\n- two"
        );
        assert_eq!(
            &text[chunks[1].span.clone()],
            "## Past\n\nThe past is *ate*.\n\n- one\n- two"
        );
        assert_eq!((chunks[1].id.as_str(), chunks[1].ordinal), ("d#2", 2));
    }

    #[test]
    fn a_heading_without_text_goes_with_the_next_section() {
        let text = "# A\n\n## B\n\nText.\n";
        let chunks = cut(20, 0, text);
        assert_eq!(chunks.len(), 1);
        assert_eq!(&text[chunks[0].span.clone()], "# A\n\n## B\n\nText.");
    }

    #[test]
    fn a_split_table_repeats_its_header() {
        let rows: String = (0..12).map(|i| format!("| v{i} | p{i} |\n")).collect();
        let chunks = cut(20, 0, &format!("| verb | past |\n|---|---|\n{rows}"));
        assert!(chunks.len() > 1);
        assert!(
            chunks.iter().all(|c| c.text.starts_with("verb | past\n")),
            "{chunks:#?}"
        );
        assert_eq!(
            chunks
                .iter()
                .map(|c| c.text.matches("| p").count())
                .sum::<usize>()
                - chunks.len(),
            12
        );
    }

    #[test]
    fn overlap_repeats_whole_sentences_and_always_advances() {
        let text: String = (0..20)
            .map(|i| format!("Sentence number {i} ends. "))
            .collect();
        let chunks = cut(16, 8, &text);
        assert!(chunks.windows(2).all(|w| w[0].span.start < w[1].span.start));
        assert!(chunks.windows(2).any(|w| w[1].span.start < w[0].span.end));
    }

    #[test]
    fn an_overlap_as_large_as_the_size_is_an_error() {
        assert!(matches!(
            Chunker::new(64, 64),
            Err(Error::BadChunking { .. })
        ));
        assert!(matches!(Chunker::new(4, 0), Err(Error::BadChunking { .. })));
    }

    #[test]
    fn crlf_and_lf_give_the_same_words() {
        let lf = "# A\n\nOne two\nthree.\n\n```\n# code\n```\n";
        let crlf = lf.replace('\n', "\r\n");
        let of = |t: &str| {
            cut(40, 0, t)
                .into_iter()
                .map(|c| c.passage())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(lf), of(&crlf));
    }

    #[test]
    fn a_blank_document_has_no_chunks() {
        assert!(cut(20, 0, " \n\n").is_empty());
        assert!(cut(20, 0, "# Only a heading\n").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_cut_within_bounds_and_nothing_is_lost(
            text in "([a-zé#|*`>\\- .\n]|天){0,300}", size in 8usize..40, overlap in 0usize..8,
        ) {
            let doc = Document::plain("d", &text);
            let chunks = Chunker::new(size, overlap).unwrap().chunks(&doc, &words);
            let mut covered = vec![false; text.len()];
            for chunk in &chunks {
                prop_assert!(words(&chunk.text) <= size);
                covered[chunk.span.clone()].iter_mut().for_each(|c| *c = true);
            }
            for (at, c) in text.char_indices() {
                prop_assert!(covered[at] || c.is_whitespace(), "byte {at} lost");
            }
            let _ = Chunker::new(size, overlap).unwrap().chunks(&Document::markdown("d", &text), &words);
        }
    }
}
