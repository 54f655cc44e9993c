//! Average precision (Buckley and Voorhees, "Evaluating Evaluation Measure Stability", 2000;
//! trec_eval's `map`).

use super::Ranking;

/// Returns the sum over the relevant items found of the precision at their rank / number of
/// relevant items, found or not.
///
/// The precision at a rank counts all items at that rank or above it, at most as many as the
/// rank.
pub(super) fn average_precision(ranking: &Ranking) -> f64 {
    let mut found = 0;
    let mut sum = 0.0;
    for items in ranking.found.chunk_by(|a, b| a.rank == b.rank) {
        found += items.len();
        let precision = (found as f64 / f64::from(items[0].rank)).min(1.0);
        sum += precision * items.len() as f64;
    }
    sum / ranking.relevant() as f64
}
