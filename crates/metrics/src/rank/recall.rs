//! Recall (trec_eval's `recall`), and whether it is complete.

use super::Ranking;

/// Returns the relevant items in the top k / relevant items.
pub(super) fn recall(ranking: &Ranking, k: u32) -> f64 {
    ranking.top(k).len() as f64 / ranking.relevant() as f64
}

/// Returns 1 if every relevant item is in the top k, else 0.
pub(super) fn all(ranking: &Ranking, k: u32) -> f64 {
    f64::from(u8::from(ranking.top(k).len() == ranking.relevant()))
}
