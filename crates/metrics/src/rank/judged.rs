//! Share of judged entries (ir_measures' `Judged`).

use super::Ranking;

/// Returns the entries of the top k that have a judgement / entries of the top k. The denominator
/// is the length of a list that is shorter than k. An empty list scores 0.
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
