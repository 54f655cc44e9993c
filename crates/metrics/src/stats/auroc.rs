//! Area under the receiver operating characteristic (ROC) curve.

use super::{StatsError, same_length};
use crate::value::all_finite;

/// Returns the area under the ROC curve of a score that separates positives from negatives: the
/// probability that a positive scores above a negative, with ties as one half; in \[0, 1\].
/// Returns `None` if all labels are equal.
///
/// The area is the Mann–Whitney statistic (Hanley and McNeil, "The meaning and use of the area
/// under a receiver operating characteristic (ROC) curve", 1982). For its interval, see
/// [`bootstrap_auroc`](super::bootstrap_auroc).
///
/// # Errors
/// If the inputs differ in length or a score is not finite.
pub fn auroc(scores: &[f64], positive: &[bool]) -> Result<Option<f64>, StatsError> {
    same_length(scores, positive)?;
    all_finite(scores)?;
    let (positives, negatives) = split(scores, positive);
    if positives.is_empty() || negatives.is_empty() {
        return Ok(None);
    }
    let shares = placements(&positives, &negatives);
    Ok(Some(shares.iter().sum::<f64>() / shares.len() as f64))
}

/// The scores of the positives and of the negatives, each in ascending order.
fn split(scores: &[f64], positive: &[bool]) -> (Vec<f64>, Vec<f64>) {
    let mut sides = (Vec::new(), Vec::new());
    for (&score, &positive) in scores.iter().zip(positive) {
        let side = if positive { &mut sides.0 } else { &mut sides.1 };
        // Adding 0.0 turns -0.0 into 0.0, which is the same score.
        side.push(score + 0.0);
    }
    sides.0.sort_unstable_by(f64::total_cmp);
    sides.1.sort_unstable_by(f64::total_cmp);
    sides
}

/// Returns for each of `scores` the share of `others` below it, with ties as one half. `others` is
/// sorted.
fn placements(scores: &[f64], others: &[f64]) -> Vec<f64> {
    let share = |score: &f64| {
        let below = others.partition_point(|other| other < score);
        let up_to = others.partition_point(|other| other <= score);
        (below + up_to) as f64 / (2 * others.len()) as f64
    };
    scores.iter().map(share).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::Interval;

    /// DeLong's interval (DeLong et al., "Comparing the areas under two or more correlated receiver
    /// operating characteristic curves", 1988), cut to \[0, 1\].
    pub fn delong(scores: &[f64], positive: &[bool]) -> Interval {
        let area = auroc(scores, positive).unwrap().unwrap();
        let (positives, negatives) = split(scores, positive);
        let variance = |shares: &[f64]| {
            let n = shares.len() as f64;
            let mean = shares.iter().sum::<f64>() / n;
            shares.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) / n
        };
        let error = variance(&placements(&positives, &negatives))
            + variance(&placements(&negatives, &positives));
        Interval::normal(area, error, (0.0, 1.0))
    }

    #[test]
    fn worked_values() {
        let labels = [true, false, true, false, false];
        let area = |scores: &[f64]| auroc(scores, &labels).unwrap().unwrap();
        assert_eq!(area(&[5.0, 1.0, 4.0, 2.0, 3.0]), 1.0);
        assert_eq!(area(&[1.0; 5]), 0.5);
        // 3.5 of 6 pairs: 0.9 beats all three, 0.4 ties one half and loses twice.
        assert!((area(&[0.9, 0.8, 0.4, 0.4, 0.5]) - 3.5 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn one_label_has_no_area() {
        assert_eq!(auroc(&[1.0], &[true]), Ok(None));
        assert!(auroc(&[1.0], &[]).is_err());
        assert!(auroc(&[f64::NAN], &[true]).is_err());
    }
}
