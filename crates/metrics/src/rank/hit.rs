//! hit@k, trec_eval's `success`.

use super::Ranking;

/// 1 if any relevant item stands in the top k, else 0.
pub(super) fn hit(ranking: &Ranking, k: u32) -> f64 {
    f64::from(u8::from(ranking.first_hit().is_some_and(|rank| rank <= k)))
}
