//! `fiel search`

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::SearchedText;
use crate::{Style, one_line};

/// A passage that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// Rank in the final list, from 1.
    pub rank: usize,
    /// Id of the chunk.
    pub chunk: String,
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

/// Two lines per passage: ranks and scores, then its text.
pub fn search_screen(hits: &[SearchHit], searched: SearchedText<'_>, style: Style) -> String {
    let mut out = searched.lines();
    for hit in hits {
        let rerank = match hit.rerank_rank {
            Some(_) => format!(", rerank {}", leg(hit.rerank_rank, hit.rerank_score)),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "{:>2}. {}  score {:.4}, bm25 {}, dense {}{rerank}",
            hit.rank,
            hit.chunk,
            hit.score,
            leg(hit.bm25_rank, hit.bm25_score),
            leg(hit.dense_rank, hit.dense_score),
        );
        let passage = one_line(&hit.passage, style.width.saturating_sub(4));
        let _ = writeln!(out, "    {passage}");
    }
    if hits.is_empty() {
        out.push_str("nothing found\n");
    }
    out
}

/// `1 (0.812)`, or a dash if the leg did not find the passage.
fn leg(rank: Option<usize>, score: Option<f64>) -> String {
    match (rank, score) {
        (Some(rank), Some(score)) => format!("{rank} ({score:.3})"),
        _ => "-".to_owned(),
    }
}
