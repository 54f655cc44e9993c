//! Judged at k, as ir_measures has it.

use super::Ranking;

/// Entries of the top k that carry a judgement / entries of the top k; the
/// denominator is the list's length where it is shorter than k, and an empty
/// list scores 0.
///
/// None where gold cites evidence: such gold marks spans and says nothing of
/// the other chunks, so the share of judged ones has no meaning there.
pub(super) fn judged(ranking: &Ranking, k: u32) -> Option<f64> {
    let judged = ranking.judged.as_ref()?;
    let depth = k.min(ranking.length);
    if depth == 0 {
        return Some(0.0);
    }
    let count = judged.partition_point(|&rank| rank <= depth);
    Some(count as f64 / f64::from(depth))
}
