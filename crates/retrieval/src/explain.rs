use fiel_embedding::Embedder;
use serde::Serialize;

use crate::{Error, Further, Fusion, Parts, Query, Retriever};

/// Why a chunk has its place, before reranking.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Explanation {
    /// Id of the chunk.
    pub chunk: String,
    /// What BM25 looked for, with what each term gave this chunk: of its best entry.
    pub terms: Vec<Term>,
    /// What further terms gave it: words as they are written, pairs of words, letters.
    pub further: Vec<(Further, f64)>,
    /// Sum over all of them.
    pub bm25: f64,
    /// Cosine between question and chunk, the best of its entries; null without a dense leg.
    pub cosine: Option<f64>,
    /// Rank by an exact scan of all chunks.
    pub dense_rank: Option<usize>,
    /// How the lists are fused.
    pub fusion: Fusion,
}

/// A term of the question.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Term {
    /// As BM25 compares it.
    pub term: String,
    /// What it weighs in the query.
    pub weight: f64,
    /// Indexed texts that hold it.
    pub texts: u64,
    /// Its part of the score by the text.
    pub body: f64,
    /// Its part by the title.
    pub title: f64,
}

impl Retriever {
    /// Why the chunk at a position among [`chunks`](Self::chunks) is found, or is not.
    ///
    /// # Errors
    /// When the question cannot be embedded.
    ///
    /// # Panics
    /// When there is no such chunk.
    pub fn explain(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        chunk: usize,
    ) -> Result<Explanation, Error> {
        let index = self.index();
        let bm25 = index.bm25();
        let terms = self.bm25_query(query.text)?;
        let mut best = Parts::default();
        for entry in index.entries_of(chunk) {
            let parts = bm25.explain(&terms, entry);
            if best.terms.is_empty() || parts.sum() > best.sum() {
                best = parts;
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
        let bm25_sum = best.sum();
        let weighed = best.terms.into_iter().map(|p| Term {
            weight: f64::from(terms.words.get(&p.term).copied().unwrap_or_default()),
            texts: p.texts,
            body: p.body,
            title: p.title,
            term: p.term,
        });
        Ok(Explanation {
            chunk: index.chunks()[chunk].id.clone(),
            terms: weighed.collect(),
            further: best.further,
            bm25: bm25_sum,
            cosine,
            dense_rank,
            fusion: self.settings().fusion,
        })
    }
}
