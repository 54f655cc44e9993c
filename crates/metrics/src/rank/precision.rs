//! Precision (trec_eval's `P`). `Rprec` is the precision at R.

use super::Ranking;

/// Returns the relevant items in the top k / k, even if the list is shorter than k. Items that
/// share a rank may outnumber k; the value is then 1.
pub(super) fn precision(ranking: &Ranking, k: u32) -> f64 {
    (ranking.top(k).len() as f64 / f64::from(k)).min(1.0)
}
