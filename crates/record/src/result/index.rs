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
