//! `fiel explain`

use std::fmt::Write;

use fiel_record::{ExplainedChunk, counted, one_line};

use crate::Style;

/// What was searched for instead of the question, or in addition to it.
#[derive(Clone, Copy, Debug)]
pub struct SearchedText<'a> {
    /// The question after its spelling was repaired.
    pub rewritten: Option<&'a str>,
    /// Keywords that the reader wrote.
    pub keywords: Option<&'a str>,
}

impl SearchedText<'_> {
    pub(super) fn lines(&self) -> String {
        let lines = [("searched for", self.rewritten), ("keywords", self.keywords)];
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
                format!("{rank}, below the first {} that are returned", options.top_k)
            }
            Some(rank) => rank.to_string(),
        };
        let _ = writeln!(out, "{}  rank {rank}", style.bold(&chunk.chunk));
        let passage = one_line(&chunk.passage, style.width.saturating_sub(2));
        let _ = writeln!(out, "  {passage}");
        bm25_lines(&mut out, chunk);
        if let (Some(cosine), Some(rank)) = (chunk.cosine, chunk.dense_rank) {
            let _ = writeln!(out, "  dense   cosine {cosine:.4}, rank {rank} by an exact scan");
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
            let fusion = if options.hybrid { &chunk.fusion } else { "single leg" };
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
