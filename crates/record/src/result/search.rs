//! `fiel search`

use fiel_text::id::ChunkId;
use schemars::JsonSchema;
use serde::Serialize;

/// A passage that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// Rank in the final list, from 1.
    pub rank: usize,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Score in the final list.
    pub score: f64,
    /// Rank in the list of BM25.
    pub bm25_rank: Option<usize>,
    /// Score of BM25.
    pub bm25_score: Option<f64>,
    /// Rank in the list of the dense leg.
    pub dense_rank: Option<usize>,
    /// Cosine of question and chunk.
    pub dense_score: Option<f64>,
    /// Rank in the list of the keywords that the reader wrote.
    pub rewrite_rank: Option<usize>,
    /// Rank that the reranker gives.
    pub rerank_rank: Option<usize>,
    /// Score that the reranker gives.
    pub rerank_score: Option<f64>,
    /// The text that the reader is given.
    pub passage: String,
}
