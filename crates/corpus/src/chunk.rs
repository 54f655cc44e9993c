use std::{borrow::Cow, fmt, ops::Range};

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

/// A passage: what is retrieved and shown to the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// `document#ordinal`, ordinals from 1.
    pub id: String,
    /// The document.
    pub doc: String,
    /// Place in the document, from 1.
    pub ordinal: usize,
    /// Bytes of the document's text that the chunk stands for, its heading line included.
    pub span: Range<usize>,
    /// Title of the document, then the headings above the chunk.
    pub heading: Vec<String>,
    /// The words of the span without markup and, where `heading` holds them, headings.
    pub text: String,
    /// What is embedded and indexed for it, where that is not its own passage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
}

impl Chunk {
    /// Headings and text, as they are read: `Title > Heading: text`.
    pub fn passage(&self) -> String {
        passage(&self.heading, &self.text)
    }

    /// The texts that are embedded and indexed for it: its entries, else its own passage. Whoever
    /// finds one of them finds the chunk.
    pub fn index_texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let own = self.entries.is_empty().then(|| Cow::Owned(self.passage()));
        let entries = self.entries.iter().map(|text| Cow::Borrowed(&**text));
        own.into_iter().chain(entries)
    }
}

fn passage(heading: &[String], text: &str) -> String {
    match heading.is_empty() {
        true => text.to_owned(),
        false => format!("{}: {text}", heading.join(" > ")),
    }
}

/// How a document is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkKind {
    /// Blocks under one heading, whole as far as they fit; a longer one is cut between its
    /// sentences, items, rows (the header row is repeated) or lines.
    #[default]
    Structure,
    /// Windows of as many words as fit, whatever they are part of.
    Fixed,
    /// A sentence (item, row, line) is indexed, and read with its neighbours in the section.
    Sentence,
    /// A small chunk by structure is indexed, and its section read, in parts of at most four
    /// times the size.
    Parent,
    /// The document, uncut.
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

/// Cuts documents into chunks of at most `size` tokens, headings counted; headings that are
/// longer than half of it leave the other half to the text. `overlap` tokens are repeated from
/// the chunk before ([`ChunkKind::Structure`] and the small chunks of [`ChunkKind::Parent`]: whole
/// sentences under the same heading; [`ChunkKind::Fixed`]: words).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunker {
    kind: ChunkKind,
    size: usize,
    overlap: usize,
}

impl Chunker {
    /// # Errors
    /// [`Error::BadChunking`] when `size < 8` or `overlap >= size`.
    pub fn new(kind: ChunkKind, size: usize, overlap: usize) -> Result<Self, Error> {
        if size < 8 || overlap >= size {
            return Err(Error::BadChunking { size, overlap });
        }
        Ok(Self {
            kind,
            size,
            overlap,
        })
    }

    /// The chunks of a document in order; none when it has no text. `count` gives the number of
    /// tokens of a text; that of two texts with white space between them should be their sum.
    pub fn chunks(&self, doc: &Document, count: &dyn Fn(&str) -> usize) -> Vec<Chunk> {
        let parsed = Parsed::new(doc);
        let source = Source {
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

/// A document that is being cut.
struct Source<'a> {
    doc: &'a Document,
    parsed: &'a Parsed,
    count: &'a dyn Fn(&str) -> usize,
    /// Whether headings are words of the text, for want of a heading path that holds them.
    with_headings: bool,
}

impl Source<'_> {
    fn words(&self, span: Range<usize>) -> String {
        if self.with_headings {
            self.parsed.words_and_headings(self.doc, span)
        } else {
            self.parsed.words(self.doc, span)
        }
    }

    fn tokens(&self, span: Range<usize>) -> usize {
        (self.count)(&self.words(span))
    }

    /// Tokens that are left to the text of a chunk of at most `size`: a heading may not take more
    /// than half of it.
    fn room(&self, size: usize, heading: &[String]) -> usize {
        let head = if heading.is_empty() {
            0
        } else {
            (self.count)(&passage(heading, ""))
        };
        size.saturating_sub(head).max(size / 2)
    }

    /// The next chunk, unless it has no words.
    fn push(
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
            id: format!("{}#{ordinal}", self.doc.id),
            doc: self.doc.id.clone(),
            ordinal,
            span,
            heading: heading.to_vec(),
            text,
            entries,
        });
    }
}
