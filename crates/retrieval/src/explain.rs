//! Why a chunk has its rank.

use fiel_embedding::Embedder;
use fiel_text::id::ChunkId;
use serde::Serialize;

use crate::{Error, Fusion, Query, Retriever, ScoreBreakdown, TermField};

/// Why a chunk has its rank, before reranking.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Explanation {
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Terms of the BM25 query with their scores in the best entry of the chunk.
    pub terms: Vec<Term>,
    /// Scores of the further fields: unstemmed words, pairs of words, character n-grams.
    pub further: Vec<(TermField, f64)>,
    /// BM25 score: the sum of `terms` and `further`.
    pub bm25: f64,
    /// Cosine of question and chunk, the best of its entries; null without vectors.
    pub cosine: Option<f64>,
    /// Rank by an exact scan of all chunks; null without vectors.
    pub dense_rank: Option<usize>,
    /// Fusion of the lists.
    pub fusion: Fusion,
}

/// A term of the BM25 query.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Term {
    /// The term, stemmed and folded to ASCII.
    pub term: String,
    /// Weight in the query.
    pub weight: f64,
    /// Number of indexed texts that contain it.
    pub texts: u64,
    /// Score in the text.
    pub body: f64,
    /// Score in the title.
    pub title: f64,
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
        let bm25 = index.bm25();
        let terms = self.bm25_query(query.text)?;
        let mut best = ScoreBreakdown::default();
        for entry in index.chunk_entries(chunk) {
            let breakdown = bm25.explain(&terms, entry);
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
            let ahead =
                |&&other: &&usize| cosines[other] > own || (cosines[other] == own && other < chunk);
            (cosine, dense_rank) = (Some(own), Some(1 + all.iter().filter(ahead).count()));
        }
        let bm25_score = best.score();
        let weighted_terms = best.terms.into_iter().map(|p| Term {
            weight: f64::from(terms.words.get(&p.term).copied().unwrap_or_default()),
            texts: p.texts,
            body: p.body,
            title: p.title,
            term: p.term,
        });
        Ok(Explanation {
            chunk: index.chunks()[chunk].id.clone(),
            terms: weighted_terms.collect(),
            further: best.further,
            bm25: bm25_score,
            cosine,
            dense_rank,
            fusion: self.settings().fusion,
        })
    }
}
