//! Fusion of ranked lists.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Error, Fusion,
    order::{ScoredItem, top_k},
};

/// A ranked list with its weight in the fusion.
#[derive(Clone, Copy, Debug)]
pub struct Weighted<'a> {
    /// Items, best first, each once.
    pub list: &'a [ScoredItem],
    /// Weight, 0 or more.
    pub weight: f64,
}

/// Min-max score of every item of a list whose scores are all equal.
const ALL_EQUAL: f64 = 0.5;

/// Fuses lists into the `k` best items. `constant` is the one of reciprocal rank fusion. The other
/// methods work best if every list scores every item: an absent item counts as much as the last of
/// the list.
///
/// # Errors
/// [`Error::NotANumber`] if a score, a weight or the constant is NaN.
pub fn fuse(
    lists: &[Weighted<'_>],
    method: Fusion,
    constant: f64,
    k: usize,
) -> Result<Vec<ScoredItem>, Error> {
    if method == Fusion::Rrf {
        let items: Vec<Vec<usize>> =
            lists.iter().map(|l| l.list.iter().map(|s| s.item).collect()).collect();
        let weights: Vec<f64> = lists.iter().map(|l| l.weight).collect();
        return reciprocal_rank_fusion(&items, &weights, constant, k);
    }
    let normalized: Vec<(BTreeMap<usize, f64>, f64)> = lists
        .iter()
        .map(|l| match method {
            Fusion::ZScore => z_scores(l.list),
            _ => (min_max(l.list), 0.0),
        })
        .collect();
    let items: BTreeSet<usize> = normalized.iter().flat_map(|(n, _)| n.keys().copied()).collect();
    let score = |item: &usize| -> f64 {
        let lists = normalized.iter().zip(lists);
        lists
            .map(|((scores, absent), list)| {
                list.weight * scores.get(item).copied().unwrap_or(*absent)
            })
            .sum()
    };
    top_k(items.iter().map(|item| ScoredItem { item: *item, score: score(item) }), k)
}

/// Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the sum over lists of
/// weight/(`constant` + rank), ranks from 1. An absent item contributes nothing. A repeated item
/// counts once, at its best rank.
///
/// # Errors
/// [`Error::NotANumber`] if `constant` or a weight is NaN.
pub fn reciprocal_rank_fusion(
    lists: &[Vec<usize>],
    weights: &[f64],
    constant: f64,
    k: usize,
) -> Result<Vec<ScoredItem>, Error> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (list, weight) in lists.iter().zip(weights) {
        let mut seen = BTreeSet::new();
        for (position, &item) in list.iter().enumerate() {
            if seen.insert(item) {
                *sums.entry(item).or_default() += weight / (constant + (position + 1) as f64);
            }
        }
    }
    top_k(sums.into_iter().map(|(item, score)| ScoredItem { item, score }), k)
}

/// Scores scaled to 0…1 by (x − min)/(max − min); all 0.5 if they are equal. An absent item counts
/// 0, like the last of the list.
fn min_max(list: &[ScoredItem]) -> BTreeMap<usize, f64> {
    let low = list.iter().map(|s| s.score).fold(f64::INFINITY, f64::min);
    let high = list.iter().map(|s| s.score).fold(f64::NEG_INFINITY, f64::max);
    let scaled = |s: &ScoredItem| {
        if high > low { (s.score - low) / (high - low) } else { ALL_EQUAL }
    };
    list.iter().map(|s| (s.item, scaled(s))).collect()
}

/// Scores standardized to mean 0 and standard deviation 1 (of the list as a population), all 0 if
/// they are equal; and the score of an absent item, which is the lowest of them.
pub(crate) fn z_scores(list: &[ScoredItem]) -> (BTreeMap<usize, f64>, f64) {
    let n = list.len().max(1) as f64;
    let mean = list.iter().map(|s| s.score).sum::<f64>() / n;
    let variance = list.iter().map(|s| (s.score - mean).powi(2)).sum::<f64>() / n;
    let deviation = variance.sqrt();
    let standardized = |s: &ScoredItem| {
        if deviation > 0.0 { (s.score - mean) / deviation } else { 0.0 }
    };
    let scores: BTreeMap<usize, f64> = list.iter().map(|s| (s.item, standardized(s))).collect();
    let least = scores.values().copied().fold(f64::INFINITY, f64::min);
    (scores, if list.is_empty() { 0.0 } else { least })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(scores: &[(usize, f64)]) -> Vec<ScoredItem> {
        let scored = |&(item, score): &(usize, f64)| ScoredItem { item, score };
        scores.iter().map(scored).collect()
    }

    fn rounded(fused: &[ScoredItem]) -> Vec<(usize, String)> {
        let row = |s: &ScoredItem| (s.item, format!("{:.6}", s.score));
        fused.iter().map(row).collect()
    }

    #[test]
    fn worked_values() {
        // m n p x z as 0 1 2 3 4: dense [x, m, z], sparse [n, p, z].
        let lists = [vec![3, 0, 4], vec![1, 2, 4]];
        let fused = reciprocal_rank_fusion(&lists, &[1.0, 1.0], 60.0, 10).expect("finite");
        let expected =
            [(4, "0.031746"), (1, "0.016393"), (3, "0.016393"), (0, "0.016129"), (2, "0.016129")];
        assert_eq!(rounded(&fused), expected.map(|(item, score)| (item, score.to_owned())));
    }

    #[test]
    fn a_repeated_item_counts_once_at_its_best_rank() {
        let fused = reciprocal_rank_fusion(&[vec![5, 5, 5]], &[2.0], 60.0, 10).expect("finite");
        assert_eq!(fused, list(&[(5, 2.0 / 61.0)]));
    }

    #[test]
    fn scores_are_normalised_by_list_and_equal_ones_become_a_constant() {
        let (a, b) = (list(&[(0, 10.0), (1, 5.0), (2, 0.0)]), list(&[(1, 0.5), (3, 0.5)]));
        let lists = [Weighted { list: &a, weight: 1.0 }, Weighted { list: &b, weight: 2.0 }];
        let sums = fuse(&lists, Fusion::MinMax, 60.0, 10).expect("finite");
        assert_eq!(sums, list(&[(1, 1.5), (0, 1.0), (3, 1.0), (2, 0.0)]));
        let z = fuse(&lists, Fusion::ZScore, 60.0, 10).expect("finite");
        // Deviation of 10, 5, 0 is sqrt(50/3); the equal list counts 0 for all.
        let expected = [(0, "1.224745"), (1, "0.000000"), (2, "-1.224745"), (3, "-1.224745")];
        assert_eq!(rounded(&z), expected.map(|(item, score)| (item, score.to_owned())));
        assert!(fuse(&[], Fusion::ZScore, 60.0, 10).expect("finite").is_empty());
    }
}
