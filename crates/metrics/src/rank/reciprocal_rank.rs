//! Reciprocal rank (Voorhees, "The TREC-8 Question Answering Track Report", 1999).

use super::Ranking;

/// 1 / rank of the first relevant item; 0 beyond k.
pub(super) fn reciprocal_rank(ranking: &Ranking, k: u32) -> f64 {
    match ranking.first_hit() {
        Some(rank) if rank <= k => 1.0 / f64::from(rank),
        _ => 0.0,
    }
}
