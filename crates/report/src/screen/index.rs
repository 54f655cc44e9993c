//! `fiel index`

use schemars::JsonSchema;
use serde::Serialize;

/// What `fiel index` built.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IndexResult {
    /// Name of the knowledge base.
    pub kb: String,
    /// Number of documents.
    pub documents: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// Chunks that were not in the cache of embeddings.
    pub embedded_now: usize,
    /// Chunks that exceed the input length of the embedder.
    pub longer_than_the_embedder_reads: usize,
    /// Dense search: `exact`, `hnsw`, or `none`.
    pub dense: String,
}

/// One line.
pub fn index_screen(result: &IndexResult) -> String {
    let embedded = if result.dense == "none" {
        "none embedded, because BM25 needs no vectors".to_owned()
    } else {
        format!(
            "{} embedded now and {} from the cache; dense search: {}",
            result.embedded_now,
            result.chunks.saturating_sub(result.embedded_now),
            result.dense
        )
    };
    format!(
        "{}: {} documents, {} chunks, {embedded}\n",
        result.kb, result.documents, result.chunks
    )
}
