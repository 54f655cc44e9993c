//! `fiel search`

use std::fmt::Write;

use fiel_record::{SearchHit, one_line};

use crate::{Style, screen::SearchedText};

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
