//! Precision at k (trec_eval's `P`); Rprec is the same at R.

use super::Ranking;

/// Relevant items in the top k / k, also when fewer came back. Items that share
/// a rank can be more than k: then 1.
pub(super) fn precision(ranking: &Ranking, k: u32) -> f64 {
    (ranking.top(k).len() as f64 / f64::from(k)).min(1.0)
}
