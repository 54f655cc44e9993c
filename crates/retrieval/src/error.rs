//! The error type of this crate.

use thiserror::Error;

/// An index that cannot be built or searched.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// A search for zero results.
    #[error("the number of results is 0, but must be at least 1")]
    BadK,
    /// A setting out of range.
    #[error("{setting} is {value}: {reason}")]
    BadSetting { setting: &'static str, value: String, reason: &'static str },
    /// A score that is NaN.
    #[error("the score of item {0} is not a number")]
    NotANumber(usize),
    /// A question without words.
    #[error("the question is empty")]
    EmptyQuestion,
    /// Different numbers of vectors and indexed texts.
    #[error("expected a vector per text, got {0} vectors for {1} texts")]
    Mismatch(usize, usize),
    /// A dense search of an index without vectors.
    #[error("the index was built without vectors, so it has no dense search")]
    NoVectors,
    /// A knowledge base without text below its headings.
    #[error(
        "{kb}: none of its {documents} documents has text below its headings, so there is nothing to search"
    )]
    NoChunks { kb: String, documents: usize },
    /// An error of Tantivy.
    #[error("BM25 index: {0}")]
    Bm25(#[from] tantivy::TantivyError),
    /// Chunk settings that cannot be used.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
    /// A text that cannot be embedded.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
}
