use thiserror::Error;

/// What can go wrong while an index is built or searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing was asked for.
    #[error("a search for {0} results was requested; k must be at least 1")]
    BadK(usize),
    /// A setting makes no sense.
    #[error("{setting} is {value}: {reason}")]
    BadSetting {
        /// The key as it stands in fiel.toml.
        setting: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be.
        reason: &'static str,
    },
    /// A score is not a number.
    #[error("the score of {0} is not a number")]
    NotANumber(String),
    /// The question has no words.
    #[error("the question is empty")]
    EmptyQuestion,
    /// The numbers of indexed texts and vectors differ.
    #[error("{entries} texts and {vectors} vectors do not belong together")]
    Mismatch {
        /// Entries of the chunks given.
        entries: usize,
        /// Vectors given.
        vectors: usize,
    },
    /// A chunk that HNSW does not find by its own vector.
    #[error(
        "the HNSW index is unsound: {lost} of {total} chunks are not found by their own vector. Use retrieve.dense = \"exact\""
    )]
    Unsound {
        /// Chunks not found.
        lost: usize,
        /// All chunks.
        total: usize,
    },
    /// The dense leg was asked of an index that has none.
    #[error("the index was built without vectors, so the dense leg cannot be searched")]
    NoVectors,
    /// A graph could not be kept.
    #[error("{path}: the HNSW graph could not be written: {message}")]
    Dump {
        /// The file or folder.
        path: std::path::PathBuf,
        /// What the system or `hnsw_rs` said.
        message: String,
    },
    /// A model that judges passages failed.
    #[error("reranking failed: {0}")]
    Rerank(String),
    /// Tantivy failed.
    #[error("BM25 index: {0}")]
    Bm25(#[from] tantivy::TantivyError),
    /// The question could not be embedded.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
}
