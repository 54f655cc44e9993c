//! Measures of a ranked list.

mod evidence;
mod ndcg;
mod ranking;
#[cfg(test)]
mod tests;
mod undiscounted;

use std::num::NonZeroU32;

pub use evidence::{MeasuredItem, finds, measured_list, span_overlap};
pub use ndcg::Gain;
pub use ranking::{Ranking, RankingError, RelevantItem};

/// The depth k at which a list is cut. It is not 0, because a measure at depth 0 would divide by it.
pub type Cutoff = NonZeroU32;

/// A measure of a ranked list, in \[0, 1\] and without unit.
///
/// The definitions are those of trec_eval with `-c` (Buckley and NIST), and those of ir_measures
/// for `nDCG(exp)` and `Judged` (MacAvaney et al., "Streamlining Evaluation with ir-measures",
/// 2022). Ranks start at 1. A chunk that holds several spans gives them all its own rank, which
/// does not occur in a list of documents. Counts are then clipped so that no measure exceeds 1:
/// P@k at k items, the precisions inside AP and Rprec at 1, nDCG at its ideal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankMeasure {
    /// `hit@k`: 1 if any relevant item is in the top k, else 0.
    Hit(Cutoff),
    /// `RR@k`, or `RR` without a cutoff: 1 / rank of the first relevant item, 0 beyond k.
    Rr(Option<Cutoff>),
    /// `R@k` (recall): relevant items in the top k / relevant items.
    Recall(Cutoff),
    /// `P@k`: relevant items in the top k / k, even if the list is shorter than k.
    Precision(Cutoff),
    /// `nDCG@k` (linear gain) or `nDCG(exp)@k`.
    Ndcg(Gain, Cutoff),
    /// `AP`: mean over all relevant items of the precision at their rank, 0 for those not found.
    Ap,
    /// `Judged@k`: entries of the top k that have a judgement / entries of the top k.
    Judged(Cutoff),
    /// `Rprec`: precision at rank R, where R is the number of relevant items.
    Rprec,
    /// `all@k`: 1 if every relevant item is in the top k, else 0.
    All(Cutoff),
}
