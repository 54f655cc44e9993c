//! Fusion of ranked lists.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Error, Fusion,
    order::{ScoredItem, top_k},
};

/// Min-max score of every item of a list whose scores are all equal.
const ALL_EQUAL: f64 = 0.5;

/// Fuses lists, each best first and with its weight, into the `k` best items. `constant` is the one
/// of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the sum over lists of
/// weight/(`constant` + rank), ranks from 1, to which an absent item contributes nothing. The other
/// methods work best if every list scores every item: an absent item counts as much as the last of
/// the list.
///
/// # Errors
/// [`Error::NotANumber`] if a score, a weight or the constant is NaN.
pub(crate) fn fuse(
    lists: &[(Vec<ScoredItem>, f64)],
    method: Fusion,
    constant: f64,
    k: usize,
) -> Result<Vec<ScoredItem>, Error> {
    // The contribution of each list to its items, and to an absent item.
    let contributions: Vec<(BTreeMap<usize, f64>, f64)> = lists
        .iter()
        .map(|(list, weight)| {
            let (mut scores, absent) = match method {
                Fusion::Rrf => {
                    let by_rank = (1..).zip(list);
                    let share = |(rank, s): (u32, &ScoredItem)| {
                        (s.item, weight / (constant + f64::from(rank)))
                    };
                    return (by_rank.map(share).collect(), 0.0);
                }
                Fusion::MinMax => (min_max(list), 0.0),
                Fusion::ZScore => z_scores(list),
            };
            scores.values_mut().for_each(|score| *score *= weight);
            (scores, weight * absent)
        })
        .collect();
    let items: BTreeSet<usize> = contributions.iter().flat_map(|c| c.0.keys().copied()).collect();
    let fused = items.into_iter().map(|item| {
        let of_list = |(scores, absent): &(BTreeMap<usize, f64>, f64)| {
            scores.get(&item).copied().unwrap_or(*absent)
        };
        ScoredItem { item, score: contributions.iter().map(of_list).sum() }
    });
    top_k(fused, k)
}

/// Scores scaled to 0…1 by (x − min)/(max − min); all 0.5 if they are equal. An absent item counts
/// 0, like the last of the list.
fn min_max(list: &[ScoredItem]) -> BTreeMap<usize, f64> {
    let low = list.iter().map(|s| s.score).fold(f64::INFINITY, f64::min);
    let high = list.iter().map(|s| s.score).fold(f64::NEG_INFINITY, f64::max);
    let scaled =
        |s: &ScoredItem| if high > low { (s.score - low) / (high - low) } else { ALL_EQUAL };
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
    fn reciprocal_ranks_are_summed() {
        // m n p x z as 0 1 2 3 4: dense [x, m, z], sparse [n, p, z].
        let ranked = |items: [usize; 3]| (list(&items.map(|item| (item, 0.0))), 1.0);
        let lists = [ranked([3, 0, 4]), ranked([1, 2, 4])];
        let fused = fuse(&lists, Fusion::Rrf, 60.0, 10).expect("finite");
        let expected =
            [(4, "0.031746"), (1, "0.016393"), (3, "0.016393"), (0, "0.016129"), (2, "0.016129")];
        assert_eq!(rounded(&fused), expected.map(|(item, score)| (item, score.to_owned())));
    }

    #[test]
    fn scores_are_normalized_by_list_and_equal_scores_become_a_constant() {
        let (a, b) = (list(&[(0, 10.0), (1, 5.0), (2, 0.0)]), list(&[(1, 0.5), (3, 0.5)]));
        let lists = [(a, 1.0), (b, 2.0)];
        let sums = fuse(&lists, Fusion::MinMax, 60.0, 10).expect("finite");
        assert_eq!(sums, list(&[(1, 1.5), (0, 1.0), (3, 1.0), (2, 0.0)]));
        let z = fuse(&lists, Fusion::ZScore, 60.0, 10).expect("finite");
        // Deviation of 10, 5, 0 is sqrt(50/3); the equal list counts 0 for all.
        let expected = [(0, "1.224745"), (1, "0.000000"), (2, "-1.224745"), (3, "-1.224745")];
        assert_eq!(rounded(&z), expected.map(|(item, score)| (item, score.to_owned())));
        assert!(fuse(&[], Fusion::ZScore, 60.0, 10).expect("finite").is_empty());
    }
}
