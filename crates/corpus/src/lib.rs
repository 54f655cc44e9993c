//! Documents, spans and chunks: everything about the text of a knowledge base that needs no model.
//!
//! Spans are byte ranges into the text of a document. The text of a Markdown or plain text document
//! is the whole file, including byte-order mark, front matter and line endings, so that a quotation
//! can always be shown where it was written. HTML is converted to Markdown; the text of a PDF is the
//! text layer of its pages, and the text of a JSONL line is its `text` or `contents`.
//!
//! ```
//! use fiel_corpus::{ChunkKind, Chunker, Document};
//!
//! let doc = Document::markdown("eat", "# Eat\n\nThe past of *eat* is *ate*.\n\n## Participle\n\n*eaten*\n");
//! let words = |text: &str| text.split_whitespace().count();
//! let chunks = Chunker::new(ChunkKind::Structure, 64, 0)?.chunks(&doc, &words);
//! assert_eq!(chunks[0].id, "eat#1");
//! assert_eq!(chunks[0].text, "The past of eat is ate.");
//! assert_eq!(chunks[1].heading, ["Eat", "Participle"]);
//! # Ok::<(), fiel_corpus::Error>(())
//! ```

mod blocks;
mod chunk;
mod document;
mod error;
mod front_matter;
mod hard_split;
mod kb;
mod load;

pub use chunk::{Chunk, ChunkKind, Chunker};
pub use document::Document;
pub use error::Error;
pub use kb::{KnowledgeBase, KnowledgeBaseInfo};
