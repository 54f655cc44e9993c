//! Hit rate (trec_eval's `success`).

use super::Ranking;

/// Returns 1 if any relevant item is in the top k, else 0.
pub(super) fn hit(ranking: &Ranking, k: u32) -> f64 {
    f64::from(u8::from(ranking.first_relevant().is_some_and(|rank| rank <= k)))
}
