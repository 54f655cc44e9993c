//! The total order of every list: score descending, then item ascending.

use crate::Error;

/// An item of a list with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredItem {
    /// Position of the item in its collection, which is ordered by id.
    pub item: usize,
    /// Higher is better.
    pub score: f64,
}

/// The `k` best items, by score descending, then item ascending. A repeated item counts once, at
/// its best score.
///
/// # Errors
/// [`Error::NotANumber`] if a score is NaN.
pub fn top_k(
    items: impl IntoIterator<Item = ScoredItem>,
    k: usize,
) -> Result<Vec<ScoredItem>, Error> {
    let mut items: Vec<ScoredItem> = items.into_iter().collect();
    if let Some(bad) = items.iter().find(|s| s.score.is_nan()) {
        return Err(Error::NotANumber(bad.item));
    }
    items.sort_unstable_by(|a, b| a.item.cmp(&b.item).then(b.score.total_cmp(&a.score)));
    items.dedup_by_key(|s| s.item);
    let by_rank =
        |a: &ScoredItem, b: &ScoredItem| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item));
    if k > 0 && k < items.len() {
        items.select_nth_unstable_by(k - 1, by_rank);
    }
    items.truncate(k);
    items.sort_unstable_by(by_rank);
    Ok(items)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_go_to_the_smaller_item_and_duplicates_count_once() {
        let scored = |item, score| ScoredItem { item, score };
        let list = [scored(3, 1.0), scored(1, 1.0), scored(1, 2.0), scored(2, 1.0)];
        let items: Vec<usize> = top_k(list, 3).expect("finite").iter().map(|s| s.item).collect();
        assert_eq!(items, [1, 2, 3]);
        assert!(matches!(top_k([scored(0, f64::NAN)], 1), Err(Error::NotANumber(_))));
    }

    proptest! {
        #[test]
        fn order_of_input_does_not_matter(
            pairs in prop::collection::vec((0usize..30, 0u8..5), 0..40), k in 1usize..20, seed in any::<u64>(),
        ) {
            let list: Vec<ScoredItem> = pairs.iter().map(|&(item, s)| ScoredItem { item, score: f64::from(s) }).collect();
            let mut shuffled = list.clone();
            shuffled.sort_by_key(|s| (s.item as u64 + 7).wrapping_mul(seed | 1).rotate_left(13));
            let (a, b) = (top_k(list, k).unwrap(), top_k(shuffled, k).unwrap());
            prop_assert_eq!(&a, &b);
            prop_assert!(a.windows(2).all(|w| w[0].score > w[1].score || (w[0].score == w[1].score && w[0].item < w[1].item)));
        }
    }
}
