//! `fiel explain`

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Style, counted, one_line};

/// Why a chunk has its rank.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExplainedChunk {
    /// Rank in the fused list, from 1; null if no leg found the chunk.
    pub rank: Option<usize>,
    /// Score in the fused list.
    pub score: Option<f64>,
    /// Id of the chunk.
    pub chunk: String,
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

/// What was searched for instead of the question, or in addition to it.
#[derive(Clone, Copy, Debug)]
pub struct SearchedText<'a> {
    /// The question after its spelling was repaired.
    pub rewritten: Option<&'a str>,
    /// Keywords that the reader wrote.
    pub keywords: Option<&'a str>,
}

impl SearchedText<'_> {
    /// A line for each that is given.
    pub(super) fn lines(&self) -> String {
        let lines = [
            ("searched for", self.rewritten),
            ("keywords", self.keywords),
        ];
        let line = |(what, text): (&str, Option<&str>)| text.map(|t| format!("{what}: {t}\n"));
        lines.into_iter().filter_map(line).collect()
    }
}

/// The settings that the explanation names.
#[derive(Clone, Copy, Debug)]
pub struct ExplainOptions {
    /// Length of the list that is measured and read.
    pub top_k: usize,
    /// Whether several legs are fused.
    pub hybrid: bool,
    /// Passages that are reranked.
    pub rerank_depth: usize,
    /// Weight of the reranker.
    pub rerank_weight: f64,
}

/// Each chunk with the parts of its score.
pub fn explain_screen(
    chunks: &[ExplainedChunk],
    searched: SearchedText<'_>,
    options: ExplainOptions,
    style: Style,
) -> String {
    let mut out = searched.lines();
    if chunks.is_empty() {
        out.push_str("nothing found\n");
    }
    for chunk in chunks {
        let rank = match chunk.rank {
            None => "not found by any leg".to_owned(),
            Some(rank) if rank > options.top_k => {
                format!(
                    "{rank}, below the first {} that are returned",
                    options.top_k
                )
            }
            Some(rank) => rank.to_string(),
        };
        let _ = writeln!(out, "{}  rank {rank}", style.bold(&chunk.chunk));
        let passage = one_line(&chunk.passage, style.width.saturating_sub(2));
        let _ = writeln!(out, "  {passage}");
        bm25_lines(&mut out, chunk);
        if let (Some(cosine), Some(rank)) = (chunk.cosine, chunk.dense_rank) {
            let _ = writeln!(
                out,
                "  dense   cosine {cosine:.4}, rank {rank} by an exact scan"
            );
        }
        if let Some(rank) = chunk.rewrite_rank {
            let _ = writeln!(out, "  keywords  rank {rank}");
        }
        if let Some(score) = chunk.rerank_score {
            let _ = writeln!(
                out,
                "  rerank  {score:.4}, rank {} of {}, weight {}",
                rank_or_dash(chunk.rerank_rank),
                options.rerank_depth,
                options.rerank_weight
            );
        }
        if let Some(score) = chunk.score {
            let fusion = if options.hybrid {
                &chunk.fusion
            } else {
                "single leg"
            };
            let _ = writeln!(out, "  score   {score:.4} ({fusion})");
        }
    }
    out
}

fn bm25_lines(out: &mut String, chunk: &ExplainedChunk) {
    let rank = rank_or_dash(chunk.bm25_rank);
    let _ = writeln!(out, "  bm25    {:.4}, rank {rank}", chunk.bm25);
    for term in &chunk.terms {
        let title = if term.title > 0.0 {
            format!(" + {:.4} by the title", term.title)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "            {:<20} {:.4}{title}  (weight {:.3}, in {})",
            term.term,
            term.body,
            term.weight,
            counted(term.texts as usize, "text")
        );
    }
    for (field, score) in &chunk.further {
        let field = match field.as_str() {
            "title" => "words of the title",
            "exact" => "words as written",
            "pairs" => "pairs of words",
            "grams" => "letters of words",
            other => other,
        };
        let _ = writeln!(out, "            {field:<20} {score:.4}");
    }
}

fn rank_or_dash(rank: Option<usize>) -> String {
    rank.map_or("-".to_owned(), |rank| rank.to_string())
}
