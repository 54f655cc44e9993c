//! Why a chunk has its rank.

use fiel_embedding::Embedder;
use fiel_text::id::ChunkId;

use crate::{Error, Fusion, Query, Retriever, ScoreBreakdown};

/// Why a chunk has its rank, before reranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// BM25 score of the best entry of the chunk, by term and field.
    pub bm25: ScoreBreakdown,
    /// Cosine of question and chunk, the best of its entries; `None` without vectors.
    pub cosine: Option<f64>,
    /// Rank by an exact scan of all chunks; `None` without vectors.
    pub dense_rank: Option<usize>,
    /// Fusion of the lists.
    pub fusion: Fusion,
}

impl Retriever {
    /// Explains the rank of the chunk at a position in [`chunks`](Self::chunks), found or not.
    ///
    /// # Errors
    /// If the question cannot be embedded.
    ///
    /// # Panics
    /// If the position is out of range.
    pub fn explain(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        chunk: usize,
    ) -> Result<Explanation, Error> {
        let index = self.index();
        let terms = self.bm25_query(query.text)?;
        let mut best = ScoreBreakdown::default();
        for entry in index.chunk_entries(chunk) {
            let breakdown = index.bm25().explain(&terms, entry);
            if best.terms.is_empty() || breakdown.score() > best.score() {
                best = breakdown;
            }
        }
        let (mut cosine, mut dense_rank) = (None, None);
        if index.dense_kind().is_some() {
            let embedded = embedder.embed(&[query.text], &mut |_| {})?;
            let all: Vec<usize> = (0..index.chunks().len()).collect();
            let cosines = index.cosines(embedded.row(0), &all)?;
            let own = cosines[chunk];
            let is_ahead = |&other: &usize| (cosines[other], chunk) > (own, other);
            (cosine, dense_rank) = (Some(own), Some(1 + all.into_iter().filter(is_ahead).count()));
        }
        Ok(Explanation {
            chunk: index.chunks()[chunk].id.clone(),
            bm25: best,
            cosine,
            dense_rank,
            fusion: self.settings().fusion,
        })
    }
}
