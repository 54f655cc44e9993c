use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Error,
    order::{Scored, top_k},
};

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the sum over lists of
/// 1/(`constant` + rank), ranks from 1. An absent item contributes nothing; a repeated one counts
/// once, at its best rank.
///
/// # Errors
/// [`Error::NotANumber`] when `constant` is NaN.
pub fn reciprocal_rank_fusion(
    lists: &[Vec<usize>],
    constant: f64,
    k: usize,
) -> Result<Vec<Scored>, Error> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for list in lists {
        let mut seen = BTreeSet::new();
        for (at, &item) in list.iter().enumerate() {
            if seen.insert(item) {
                *sums.entry(item).or_default() += 1.0 / (constant + (at + 1) as f64);
            }
        }
    }
    top_k(
        sums.into_iter().map(|(item, score)| Scored { item, score }),
        k,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_values() {
        // m n p x z as 0 1 2 3 4: dense [x, m, z], sparse [n, p, z].
        let fused =
            reciprocal_rank_fusion(&[vec![3, 0, 4], vec![1, 2, 4]], 60.0, 10).expect("finite");
        let rounded: Vec<(usize, String)> = fused
            .iter()
            .map(|s| (s.item, format!("{:.6}", s.score)))
            .collect();
        let expected = [
            (4, "0.031746"),
            (1, "0.016393"),
            (3, "0.016393"),
            (0, "0.016129"),
            (2, "0.016129"),
        ];
        assert_eq!(
            rounded,
            expected.map(|(item, score)| (item, score.to_owned()))
        );
    }

    #[test]
    fn a_repeated_item_counts_once_at_its_best_rank() {
        let fused = reciprocal_rank_fusion(&[vec![5, 5, 5]], 60.0, 10).expect("finite");
        assert_eq!(
            fused,
            [Scored {
                item: 5,
                score: 1.0 / 61.0
            }]
        );
    }
}
