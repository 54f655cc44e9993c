//! Ranking measures over a measured list, one small file a measure.

mod average_precision;
mod evidence;
mod hit;
mod judged;
mod ndcg;
mod precision;
mod ranking;
mod recall;
mod reciprocal_rank;

pub use evidence::{MeasuredItem, finds, measured_list};
pub use ndcg::Gain;
pub use ranking::{Hit, Ranking, RankingError};

use std::num::NonZeroU32;

/// The depth at which a list is cut, 1 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cutoff(NonZeroU32);

impl Cutoff {
    /// None for 0: a measure at depth 0 would divide by it.
    pub const fn new(k: u32) -> Option<Cutoff> {
        match NonZeroU32::new(k) {
            Some(k) => Some(Cutoff(k)),
            None => None,
        }
    }

    /// The depth.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// A measure of a ranked list, in \[0, 1\] and without unit.
///
/// Definitions are those of trec_eval, with `-c` (Buckley and NIST), and of
/// ir_measures for `nDCG(exp)` and `Judged` (MacAvaney et al., "Streamlining
/// Evaluation with ir-measures", 2022). Ranks start at 1. Where one chunk holds
/// several spans they share its rank, which a list of documents cannot do;
/// counts are then clipped so that no measure passes 1: P@k at k items, the
/// precisions inside AP and Rprec at 1, nDCG at its ideal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankMeasure {
    /// `hit@k`: 1 if any relevant item stands in the top k, else 0.
    Hit(Cutoff),
    /// `RR@k`, or `RR` without a cut: 1 / rank of the first relevant item, 0 beyond k.
    Rr(Option<Cutoff>),
    /// `R@k` (recall): relevant items in the top k / relevant items.
    Recall(Cutoff),
    /// `P@k`: relevant items in the top k / k, also when fewer came back.
    Precision(Cutoff),
    /// `nDCG@k` (linear gain) or `nDCG(exp)@k`.
    Ndcg(Gain, Cutoff),
    /// `AP`: mean over all relevant items of the precision at their rank, 0 for those not found.
    Ap,
    /// `Judged@k`: entries of the top k that carry a judgement / entries of the top k.
    Judged(Cutoff),
    /// `Rprec`: precision at rank R, R being the number of relevant items.
    Rprec,
    /// `all@k`: 1 if every relevant item stands in the top k, else 0.
    All(Cutoff),
}

impl RankMeasure {
    /// The value for one list, in \[0, 1\].
    ///
    /// None without any relevant item, and for `Judged@k` where gold cites
    /// evidence.
    pub fn of(self, ranking: &Ranking) -> Option<f64> {
        if ranking.relevant() == 0 {
            return None;
        }
        match self {
            RankMeasure::Hit(k) => Some(hit::hit(ranking, k.get())),
            RankMeasure::Rr(k) => Some(reciprocal_rank::reciprocal_rank(
                ranking,
                k.map_or(u32::MAX, Cutoff::get),
            )),
            RankMeasure::Recall(k) => Some(recall::recall(ranking, k.get())),
            RankMeasure::Precision(k) => Some(precision::precision(ranking, k.get())),
            RankMeasure::Ndcg(gain, k) => Some(ndcg::ndcg(ranking, gain, k.get())),
            RankMeasure::Ap => Some(average_precision::average_precision(ranking)),
            RankMeasure::Judged(k) => judged::judged(ranking, k.get()),
            RankMeasure::Rprec => Some(precision::precision(ranking, ranking.ideal.len() as u32)),
            RankMeasure::All(k) => Some(recall::all(ranking, k.get())),
        }
    }
}

#[cfg(test)]
mod tests;
