//! Reciprocal rank (Voorhees, "The TREC-8 Question Answering Track Report", 1999; trec_eval's
//! `recip_rank`).

use super::Ranking;

/// Returns 1 / rank of the first relevant item, or 0 if it is beyond k.
pub(super) fn reciprocal_rank(ranking: &Ranking, k: u32) -> f64 {
    match ranking.first_relevant() {
        Some(rank) if rank <= k => 1.0 / f64::from(rank),
        _ => 0.0,
    }
}
