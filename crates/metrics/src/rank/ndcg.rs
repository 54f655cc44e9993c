//! Normalized discounted cumulative gain (Järvelin and Kekäläinen, "Cumulated gain-based
//! evaluation of IR techniques", 2002), with the discount log2(rank + 1) of trec_eval.

use std::sync::LazyLock;

use super::Ranking;

/// The gain of a graded item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gain {
    /// The grade itself (trec_eval).
    Linear,
    /// 2^grade − 1 (Burges et al., "Learning to rank using gradient descent", 2005). A grade
    /// above 1,000 counts as 1,000, so that no gain is infinite.
    Exponential,
}

impl Gain {
    fn value(self, grade: u32) -> f64 {
        match self {
            Gain::Linear => f64::from(grade),
            Gain::Exponential => f64::from(grade.min(1_000)).exp2() - 1.0,
        }
    }
}

/// Returns DCG@k / ideal DCG@k, where DCG is the sum of gain / log2(rank + 1).
///
/// The ideal order holds all judged items, not only the retrieved ones. Items that share a rank
/// may exceed the ideal; the value is then 1.
pub(super) fn ndcg(ranking: &Ranking, gain: Gain, k: u32) -> f64 {
    let dcg: f64 = ranking
        .top(k)
        .iter()
        .map(|item| gain.value(item.grade) / discount(item.rank))
        // `sum` of no items is -0.
        .fold(0.0, |sum, gain| sum + gain);
    let ideal: f64 =
        (1..=k).zip(&ranking.ideal).map(|(rank, &grade)| gain.value(grade) / discount(rank)).sum();
    (dcg / ideal).min(1.0)
}

/// Returns log2(rank + 1), from a table for ranks up to 1,000.
fn discount(rank: u32) -> f64 {
    static TABLE: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..=1_000).map(|rank| f64::from(rank + 1).log2()).collect());
    match TABLE.get(rank as usize) {
        Some(&discount) => discount,
        None => (f64::from(rank) + 1.0).log2(),
    }
}
