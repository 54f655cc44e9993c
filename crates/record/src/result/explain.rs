//! `fiel explain`

use fiel_text::id::ChunkId;
use schemars::JsonSchema;
use serde::Serialize;

/// Why a chunk has its rank.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExplainedChunk {
    /// Rank in the fused list, from 1; null if no leg found the chunk.
    pub rank: Option<usize>,
    /// Score in the fused list.
    pub score: Option<f64>,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Terms of the question that BM25 found in the chunk.
    pub terms: Vec<ExplainedTerm>,
    /// Scores of further BM25 fields: `title`, `exact` (words as written), `pairs` (of words),
    /// `grams` (of letters).
    pub further: Vec<(String, f64)>,
    /// BM25 score: the sum of the above.
    pub bm25: f64,
    /// Cosine of question and chunk, the best of its entries; null without a dense leg.
    pub cosine: Option<f64>,
    /// Rank by an exact scan of all chunks.
    pub dense_rank: Option<usize>,
    /// Fusion method.
    pub fusion: String,
    /// Rank in the list of BM25.
    pub bm25_rank: Option<usize>,
    /// Rank in the list of the dense leg.
    pub dense_rank_in_list: Option<usize>,
    /// Rank in the list of the keywords that the reader wrote.
    pub rewrite_rank: Option<usize>,
    /// Rank that the reranker gives.
    pub rerank_rank: Option<usize>,
    /// Score that the reranker gives.
    pub rerank_score: Option<f64>,
    /// The text that the reader is given.
    pub passage: String,
}

/// The BM25 score of a term.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExplainedTerm {
    /// The term as BM25 compares it.
    pub term: String,
    /// Its weight in the query.
    pub weight: f64,
    /// Number of indexed texts that contain it.
    pub texts: u64,
    /// Its score in the text.
    pub body: f64,
    /// Its score in the title.
    pub title: f64,
}
