//! Measures without discount: hit rate, reciprocal rank, recall, precision, average precision and
//! judged entries.

use super::Ranking;

/// Hit rate (trec_eval's `success`): 1 if any relevant item is in the top k, else 0.
pub(super) fn hit(ranking: &Ranking, k: u32) -> f64 {
    f64::from(!ranking.top(k).is_empty())
}

/// Reciprocal rank (Voorhees, "The TREC-8 Question Answering Track Report", 1999; trec_eval's
/// `recip_rank`): 1 / rank of the first relevant item, or 0 if it is beyond k.
pub(super) fn reciprocal_rank(ranking: &Ranking, k: u32) -> f64 {
    ranking.top(k).first().map_or(0.0, |item| 1.0 / f64::from(item.rank))
}

/// Recall (trec_eval's `recall`): relevant items in the top k / relevant items.
pub(super) fn recall(ranking: &Ranking, k: u32) -> f64 {
    ranking.top(k).len() as f64 / ranking.relevant() as f64
}

/// 1 if every relevant item is in the top k, else 0.
pub(super) fn all(ranking: &Ranking, k: u32) -> f64 {
    f64::from(ranking.top(k).len() == ranking.relevant())
}

/// Precision (trec_eval's `P`): relevant items in the top k / k, even if the list is shorter than
/// k. Items that share a rank may outnumber k; the value is then 1.
pub(super) fn precision(ranking: &Ranking, k: u32) -> f64 {
    (ranking.top(k).len() as f64 / f64::from(k)).min(1.0)
}

/// Average precision (Buckley and Voorhees, "Evaluating Evaluation Measure Stability", 2000;
/// trec_eval's `map`): sum over the relevant items found of the precision at their rank / number
/// of relevant items, found or not.
///
/// The precision at a rank counts all items at that rank or above it, at most as many as the rank.
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

/// Judged entries (ir_measures' `Judged`): entries of the top k that have a judgement / entries of
/// the top k. The denominator is the length of a list that is shorter than k. An empty list scores
/// 0.
///
/// Returns `None` if the gold set cites evidence: such a set marks spans and leaves all other
/// chunks unjudged.
pub(super) fn judged(ranking: &Ranking, k: u32) -> Option<f64> {
    let judged = ranking.judged.as_ref()?;
    let depth = k.min(ranking.length);
    if depth == 0 {
        return Some(0.0);
    }
    let count = judged.partition_point(|&rank| rank <= depth);
    Some(count as f64 / f64::from(depth))
}
