//! Batches of texts of similar length.

/// Maximum number of pieces in a batch, padding included.
const BATCH_PIECES: usize = 1024;

/// Groups texts, given their lengths in pieces, into batches of their indices: shortest first,
/// ties in the order of the texts. A text longer than a batch is alone in one.
pub(crate) fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| (lengths[i], i));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for index in order {
        // Lengths ascend, so the last text of a batch is its longest.
        match batches.last_mut() {
            Some(batch) if (batch.len() + 1) * lengths[index] <= BATCH_PIECES => batch.push(index),
            _ => batches.push(vec![index]),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_once_and_no_batch_too_wide() {
        let lengths: Vec<usize> = (0..500).map(|i| 3 + i * 37 % 254).collect();
        let batches = batches(&lengths);
        for batch in &batches {
            let width = batch.iter().map(|&i| lengths[i]).max().unwrap();
            assert!(batch.len() * width <= BATCH_PIECES);
        }
        let mut all: Vec<usize> = batches.concat();
        assert!(all.is_sorted_by_key(|&i| (lengths[i], i)));
        all.sort_unstable();
        assert_eq!(all, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_longer_than_a_batch_is_alone() {
        assert_eq!(batches(&[2000, 3, 1500]), [vec![1], vec![2], vec![0]]);
        assert!(batches(&[]).is_empty());
    }
}
