//! Area under the receiver operating characteristic (ROC) curve.

use serde::{Deserialize, Serialize};

use super::{StatsError, interval::Interval, same_length};
use crate::value::all_finite;

/// Area under the ROC curve of a score that separates positives from negatives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Auroc {
    /// Probability that a positive scores above a negative, with ties as one half; in \[0, 1\].
    pub auroc: f64,
    /// DeLong's interval; `None` with fewer than two positives or two negatives.
    pub interval: Option<Interval>,
    /// Number of positives.
    pub positives: usize,
    /// Number of negatives.
    pub negatives: usize,
}

/// Returns the AUROC of scores against labels of the same items, or `None` if all labels are
/// equal.
///
/// The area is the Mann–Whitney statistic (Hanley and McNeil, "The meaning and use of the area
/// under a receiver operating characteristic (ROC) curve", 1982). Its variance is that of DeLong
/// et al. ("Comparing the areas under two or more correlated receiver operating characteristic
/// curves", 1988). The interval is cut to \[0, 1\] and has no width if the scores separate the
/// labels completely.
///
/// # Errors
/// If the inputs differ in length or a score is not finite.
pub fn auroc(scores: &[f64], positive: &[bool]) -> Result<Option<Auroc>, StatsError> {
    same_length(scores, positive)?;
    all_finite(scores)?;
    let sorted_scores = |label: bool| {
        let mut scores: Vec<f64> = scores
            .iter()
            .zip(positive)
            .filter(|&(_, &p)| p == label)
            // Adding 0.0 turns -0.0 into 0.0, which is the same score.
            .map(|(&score, _)| score + 0.0)
            .collect();
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let (positives, negatives) = (sorted_scores(true), sorted_scores(false));
    if positives.is_empty() || negatives.is_empty() {
        return Ok(None);
    }
    let (above, area) = placements(&positives, &negatives);
    let (below, _) = placements(&negatives, &positives);
    let enough = above.len() > 1 && below.len() > 1;
    let error = || variance(&above) / above.len() as f64 + variance(&below) / below.len() as f64;
    Ok(Some(Auroc {
        auroc: area,
        interval: enough.then(|| Interval::normal(area, error(), (0.0, 1.0))),
        positives: positives.len(),
        negatives: negatives.len(),
    }))
}

/// Returns for each of `scores` the share of `others` below it, with ties as one half, and the
/// mean of these shares. `others` is sorted.
fn placements(scores: &[f64], others: &[f64]) -> (Vec<f64>, f64) {
    let share = |score: &f64| {
        let below = others.partition_point(|other| other < score);
        let up_to = others.partition_point(|other| other <= score);
        (below + up_to) as f64 / (2 * others.len()) as f64
    };
    let shares: Vec<f64> = scores.iter().map(share).collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    (shares, mean)
}

/// Sample variance, with the denominator n − 1.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_values() {
        let labels = [true, false, true, false, false];
        let auc = |scores: &[f64]| auroc(scores, &labels).unwrap().unwrap();
        assert_eq!(auc(&[5.0, 1.0, 4.0, 2.0, 3.0]).auroc, 1.0);
        assert_eq!(auc(&[1.0; 5]).auroc, 0.5);
        // 3.5 of 6 pairs: 0.9 beats all three, 0.4 ties one half and loses twice.
        let result = auc(&[0.9, 0.8, 0.4, 0.4, 0.5]);
        assert!((result.auroc - 3.5 / 6.0).abs() < 1e-12);
        // V10 = {1, 1/6}, V01 = {1/2, 3/4, 1/2}: variance 0.3472 / 2 + 0.0208 / 3.
        let interval = result.interval.unwrap();
        assert_eq!(interval.low, 0.0);
        assert_eq!(interval.high, 1.0);
        assert_eq!((result.positives, result.negatives), (2, 3));
    }

    #[test]
    fn interval_of_a_larger_sample() {
        let scores: Vec<f64> = (0..200).map(f64::from).collect();
        let labels: Vec<bool> = (0..200).map(|i| i % 3 == 0 || i > 150).collect();
        let result = auroc(&scores, &labels).unwrap().unwrap();
        let interval = result.interval.unwrap();
        assert!(interval.low > 0.5 && interval.low < result.auroc && interval.high < 1.0);
    }

    #[test]
    fn one_label_has_no_area() {
        assert_eq!(auroc(&[1.0], &[true]), Ok(None));
        assert!(auroc(&[1.0], &[]).is_err());
        assert!(auroc(&[f64::NAN], &[true]).is_err());
        assert_eq!(auroc(&[1.0, 0.0], &[true, false]).unwrap().unwrap().interval, None);
    }
}
