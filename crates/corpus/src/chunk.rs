//! Chunkers: from documents to passages.

use std::{borrow::Cow, fmt, ops::Range};

use fiel_text::id::{ChunkId, DocId};
use serde::{Deserialize, Serialize};

use crate::{Document, Error, blocks::Parsed};

mod fixed;
mod pack;
mod parent;
mod section;
mod sentences;
mod structure;
#[cfg(test)]
mod tests;
mod units;

/// A passage of a document, the unit of retrieval and reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Id: `document#ordinal`.
    pub id: ChunkId,
    /// Id of the document.
    pub doc: DocId,
    /// Position among the chunks of the document, from 1.
    pub ordinal: usize,
    /// Bytes of the document's text, including the headings directly above.
    pub span: Range<usize>,
    /// Title of the document, then the headings above the chunk.
    pub heading: Vec<String>,
    /// The words of the span without markup, and without headings that are in `heading`.
    pub text: String,
    /// The texts that are embedded and indexed instead of [`Self::passage`], if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
}

impl Chunk {
    /// Headings and text as the reader sees them: `Title > Heading: text`.
    pub fn passage(&self) -> String {
        passage(&self.heading, &self.text)
    }

    /// The texts that are embedded and indexed for the chunk: its entries, else its passage. A hit on
    /// any of them is a hit on the chunk.
    pub fn index_texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let passage = self.entries.is_empty().then(|| Cow::Owned(self.passage()));
        let entries = self.entries.iter().map(|text| Cow::Borrowed(&**text));
        passage.into_iter().chain(entries)
    }
}

fn passage(heading: &[String], text: &str) -> String {
    if heading.is_empty() { text.to_owned() } else { format!("{}: {text}", heading.join(" > ")) }
}

/// How a document is cut into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkKind {
    /// As many blocks under the same heading as fit. A longer block is cut between its sentences,
    /// items, rows (with the header row repeated) or lines.
    #[default]
    Structure,
    /// Windows of as many words as fit, regardless of structure.
    Fixed,
    /// Indexes each sentence (item, row, line) and reads it with its neighbours in the section.
    Sentence,
    /// Indexes small chunks by structure and reads their section, in parts of at most four times
    /// the size.
    Parent,
    /// The whole document.
    Document,
}

impl fmt::Display for ChunkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Structure => "structure",
            Self::Fixed => "fixed",
            Self::Sentence => "sentence",
            Self::Parent => "parent",
            Self::Document => "document",
        })
    }
}

/// Cuts documents into chunks of at most `size` tokens, including headings. If the headings take more
/// than half of the size, the text may still take half of it.
///
/// At most `overlap` tokens are repeated from the previous chunk: whole sentences under the same
/// heading for [`ChunkKind::Structure`] and the small chunks of [`ChunkKind::Parent`], words for
/// [`ChunkKind::Fixed`]. The other kinds ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunker {
    kind: ChunkKind,
    size: usize,
    overlap: usize,
}

impl Chunker {
    /// Creates a chunker. `size` and `overlap` are in tokens.
    ///
    /// # Errors
    /// [`Error::BadChunking`] if `size < 8` or `overlap >= size`.
    pub fn new(kind: ChunkKind, size: usize, overlap: usize) -> Result<Self, Error> {
        if size < 8 || overlap >= size {
            return Err(Error::BadChunking { size, overlap });
        }
        Ok(Self { kind, size, overlap })
    }

    /// Returns the chunks of a document in order; none if it has no text.
    ///
    /// `count` returns the number of tokens of a text. It should be additive for texts separated
    /// by white space.
    pub fn chunks(&self, doc: &Document, count: &dyn Fn(&str) -> usize) -> Vec<Chunk> {
        let parsed = Parsed::new(doc);
        let source = ChunkSource {
            doc,
            parsed: &parsed,
            count,
            with_headings: matches!(self.kind, ChunkKind::Fixed | ChunkKind::Document),
        };
        match self.kind {
            ChunkKind::Structure => structure::chunks(&source, self.size, self.overlap),
            ChunkKind::Fixed => fixed::chunks(&source, self.size, self.overlap),
            ChunkKind::Sentence => sentences::chunks(&source, self.size),
            ChunkKind::Parent => parent::chunks(&source, self.size, self.overlap),
            ChunkKind::Document => fixed::whole(&source),
        }
    }
}

/// A parsed document with the settings for cutting it.
struct ChunkSource<'a> {
    doc: &'a Document,
    parsed: &'a Parsed,
    count: &'a dyn Fn(&str) -> usize,
    /// Whether headings are part of the text, because the chunks have no heading path.
    with_headings: bool,
}

impl ChunkSource<'_> {
    /// Returns the words of a span without markup.
    fn words(&self, span: Range<usize>) -> String {
        self.parsed.words(self.doc, span, self.with_headings)
    }

    /// Returns the number of tokens of a span.
    fn tokens(&self, span: Range<usize>) -> usize {
        (self.count)(&self.words(span))
    }

    /// Returns the number of tokens left for the text of a chunk of `size` tokens: at least half of
    /// them, even if the headings take more than the other half.
    fn room(&self, size: usize, heading: &[String]) -> usize {
        let head = if heading.is_empty() { 0 } else { (self.count)(&passage(heading, "")) };
        size.saturating_sub(head).max(size / 2)
    }

    /// Appends a chunk, unless its text is empty.
    fn push_chunk(
        &self,
        chunks: &mut Vec<Chunk>,
        heading: &[String],
        span: Range<usize>,
        text: String,
        entries: Vec<String>,
    ) {
        if text.is_empty() {
            return;
        }
        let ordinal = chunks.len() + 1;
        chunks.push(Chunk {
            id: ChunkId::new(&self.doc.id, ordinal),
            doc: self.doc.id.clone(),
            ordinal,
            span,
            heading: heading.to_vec(),
            text,
            entries,
        });
    }
}
