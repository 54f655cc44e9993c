//! Bootstrap intervals of areas under the ROC curve and of their differences.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    StatsError,
    auroc::auroc,
    bootstrap::{RESAMPLES, percentile_interval},
    draws::Draws,
    interval::Interval,
};

/// The AUROC of one of several scores of the same items, compared with that of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResampledAuroc {
    /// Probability that a positive scores above a negative, with ties as one half; in \[0, 1\].
    pub auroc: f64,
    /// Interval of `auroc`, from resamples of the items.
    pub interval: Interval,
    /// AUROC minus the AUROC of the first score, in \[−1, 1\].
    pub difference: f64,
    /// Interval of `difference`, from the same resamples.
    pub difference_interval: Interval,
}

/// Returns the AUROC of each score against the same labels, or `None` if all labels are equal.
/// `scores[i]` has one value per label.
///
/// Intervals use the percentile method over [`RESAMPLES`] resamples of the items (Efron,
/// "Bootstrap methods: another look at the jackknife", 1979). A resample with a single label has
/// no area and is left out. The draws depend only on the seed, the resample and the number of
/// items.
///
/// # Errors
/// If the inputs differ in length or a value is not finite.
pub fn bootstrap_auroc(
    scores: &[&[f64]],
    positive: &[bool],
    seed: u64,
) -> Result<Option<Vec<ResampledAuroc>>, StatsError> {
    let mut areas = Vec::with_capacity(scores.len());
    for scores in scores {
        match auroc(scores, positive)? {
            Some(area) => areas.push(area),
            None => return Ok(None),
        }
    }
    let n = positive.len();
    let ranked: Vec<Vec<(usize, bool)>> = scores.iter().map(|scores| ranked(scores)).collect();
    let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
        .into_par_iter()
        .map_init(
            || (vec![0u32; n], vec![0u32; n]),
            |(indices, counts), resample| {
                Draws::new(seed, resample as u64).fill(indices, n as u32);
                counts.fill(0);
                for &item in indices.iter() {
                    counts[item as usize] += 1;
                }
                let areas = ranked.iter().map(|ranked| area(ranked, counts, positive));
                areas.collect::<Option<Vec<f64>>>()
            },
        )
        .flatten()
        .collect();
    if resampled.is_empty() {
        return Ok(None);
    }
    let summary = |(score, &auroc): (usize, &f64)| {
        let mut areas_of_score: Vec<f64> = resampled.iter().map(|areas| areas[score]).collect();
        let mut differences: Vec<f64> =
            resampled.iter().map(|areas| areas[score] - areas[0]).collect();
        ResampledAuroc {
            auroc,
            interval: percentile_interval(&mut areas_of_score, (0.0, 1.0)),
            difference: auroc - areas[0],
            difference_interval: percentile_interval(&mut differences, (-1.0, 1.0)),
        }
    };
    Ok(Some(areas.iter().enumerate().map(summary).collect()))
}

/// Items by score ascending, each with whether its score differs from the one before.
fn ranked(scores: &[f64]) -> Vec<(usize, bool)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // Adding 0.0 turns -0.0 into 0.0, which is the same score.
    order.sort_by(|&a, &b| (scores[a] + 0.0).total_cmp(&(scores[b] + 0.0)));
    let is_new = |i: usize| i == 0 || scores[order[i]] != scores[order[i - 1]];
    (0..order.len()).map(|i| (order[i], is_new(i))).collect()
}

/// The area with item `i` counted `counts[i]` times; `None` if only one label was drawn.
fn area(ranked: &[(usize, bool)], counts: &[u32], positive: &[bool]) -> Option<f64> {
    let (mut won, mut below, mut tied) = (0.0, 0.0, [0.0, 0.0]);
    let mut settle = |tied: &mut [f64; 2]| {
        let [negatives, positives] = std::mem::take(tied);
        won += positives * (below + negatives / 2.0);
        below += negatives;
    };
    let mut positives = 0.0;
    for &(item, is_new) in ranked {
        if is_new {
            settle(&mut tied);
        }
        let count = f64::from(counts[item]);
        tied[usize::from(positive[item])] += count;
        positives += if positive[item] { count } else { 0.0 };
    }
    settle(&mut tied);
    let pairs = positives * below;
    (pairs > 0.0).then(|| won / pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::auroc::tests::delong;

    #[test]
    fn close_to_delong_and_zero_against_itself() {
        let scores: Vec<f64> = (0..300).map(|i| f64::from(i % 50)).collect();
        let labels: Vec<bool> = (0..300).map(|i| (i * 7) % 50 + i % 3 * 20 > 40).collect();
        let area = auroc(&scores, &labels).unwrap().unwrap();
        let noise: Vec<f64> = (0..300).map(|i| f64::from((i * 31) % 17)).collect();
        let columns = [&scores[..], &noise[..], &scores[..]];
        let found = bootstrap_auroc(&columns, &labels, 7).unwrap().unwrap();
        let interval = delong(&scores, &labels);
        assert_eq!(found[0].auroc, area);
        assert!((found[0].interval.low - interval.low).abs() < 0.01, "{found:?} {interval:?}");
        assert!((found[0].interval.high - interval.high).abs() < 0.01);
        assert_eq!((found[2].difference, found[2].difference_interval.high), (0.0, 0.0));
        assert!((found[1].difference - (found[1].auroc - found[0].auroc)).abs() < 1e-12);
    }

    #[test]
    fn an_item_counts_as_often_as_it_is_drawn() {
        let (scores, labels) = ([0.9, 0.8, 0.4, 0.4, 0.5], [true, false, true, false, false]);
        let area = |counts: [u32; 5]| area(&ranked(&scores), &counts, &labels);
        assert!((area([1; 5]).unwrap() - 3.5 / 6.0).abs() < 1e-12);
        // 0.9 twice and 0.4 never: the only positive is above all negatives.
        assert_eq!(area([2, 1, 0, 1, 1]), Some(1.0));
        assert_eq!(area([0, 1, 0, 1, 1]), None);
    }

    #[test]
    fn no_area_without_both_labels() {
        assert_eq!(bootstrap_auroc(&[&[1.0]], &[true], 1), Ok(None));
        assert!(bootstrap_auroc(&[&[1.0]], &[], 1).is_err());
        assert!(bootstrap_auroc(&[&[f64::NAN, 0.0]], &[true, false], 1).is_err());
    }
}
