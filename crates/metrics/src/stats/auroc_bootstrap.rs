//! Bootstrap intervals of areas under the ROC curve, and of their differences.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bootstrap::{RESAMPLES, middle};
use super::draws::Draws;
use super::interval::Interval;
use super::{StatsError, auroc, same_length};

/// The AUROC of one of several scores of the same items.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResampledAuroc {
    /// Chance that a positive scores above a negative, a tie counting half; in \[0, 1\].
    pub auroc: f64,
    /// Its 95 % interval, resampling the items.
    pub interval: Interval,
    /// AUROC minus that of the first score.
    pub difference: f64,
    /// Its interval over the same resamples.
    pub difference_interval: Interval,
}

/// AUROC of each score against the same labels, compared with the first of them; none without a
/// positive or without a negative.
///
/// Percentile method over [`RESAMPLES`] resamples of the items (Efron, 1979); one that draws only
/// one kind of label has no area and is left out. The draws depend on the seed, the resample and
/// the number of items alone.
///
/// # Errors
/// When a score has not one value an item, or one that is not finite.
pub fn bootstrap_auroc(
    scores: &[&[f64]],
    positive: &[bool],
    seed: u64,
) -> Result<Option<Vec<ResampledAuroc>>, StatsError> {
    let mut areas = Vec::with_capacity(scores.len());
    for column in scores {
        same_length(column, positive)?;
        match auroc(column, positive)? {
            Some(found) => areas.push(found.auroc),
            None => return Ok(None),
        }
    }
    let n = positive.len();
    let ranked: Vec<Vec<(usize, bool)>> = scores.iter().map(|column| ranked(column)).collect();
    let resampled: Vec<Vec<f64>> = (0..RESAMPLES)
        .into_par_iter()
        .map_init(
            || (vec![0u32; n], vec![0u32; n]),
            |(indices, counts), resample| {
                Draws::new(seed, resample as u64).fill(indices, n as u32);
                counts.fill(0);
                for &at in indices.iter() {
                    counts[at as usize] += 1;
                }
                let area = |ranked: &Vec<(usize, bool)>| area(ranked, counts, positive);
                ranked.iter().map(area).collect::<Option<Vec<f64>>>()
            },
        )
        .flatten()
        .collect();
    let column = |of: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
        resampled.iter().map(|areas| of(areas)).collect()
    };
    let summary = |(at, &auroc): (usize, &f64)| ResampledAuroc {
        auroc,
        interval: middle(&mut column(&|areas| areas[at]), (0.0, 1.0)),
        difference: auroc - areas[0],
        difference_interval: middle(&mut column(&|areas| areas[at] - areas[0]), (-1.0, 1.0)),
    };
    match resampled.is_empty() {
        true => Ok(None),
        false => Ok(Some(areas.iter().enumerate().map(summary).collect())),
    }
}

/// Items by score ascending, each with whether it begins a new score.
fn ranked(scores: &[f64]) -> Vec<(usize, bool)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // -0.0 and 0.0 are one score.
    order.sort_by(|&a, &b| (scores[a] + 0.0).total_cmp(&(scores[b] + 0.0)));
    let begins = |at: usize| at == 0 || scores[order[at]] != scores[order[at - 1]];
    (0..order.len()).map(|at| (order[at], begins(at))).collect()
}

/// The area with each item counted as often as it was drawn.
fn area(ranked: &[(usize, bool)], counts: &[u32], positive: &[bool]) -> Option<f64> {
    let (mut won, mut below, mut tied) = (0.0, 0.0, [0.0, 0.0]);
    let mut settle = |tied: &mut [f64; 2]| {
        let [negatives, positives] = std::mem::take(tied);
        won += positives * (below + negatives / 2.0);
        below += negatives;
    };
    let mut positives = 0.0;
    for &(item, begins) in ranked {
        if begins {
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

    #[test]
    fn close_to_delong_and_zero_against_itself() {
        let scores: Vec<f64> = (0..300).map(|i| f64::from(i % 50)).collect();
        let labels: Vec<bool> = (0..300).map(|i| (i * 7) % 50 + i % 3 * 20 > 40).collect();
        let delong = auroc(&scores, &labels).unwrap().unwrap();
        let noise: Vec<f64> = (0..300).map(|i| f64::from((i * 31) % 17)).collect();
        let columns = [&scores[..], &noise[..], &scores[..]];
        let found = bootstrap_auroc(&columns, &labels, 7).unwrap().unwrap();
        let interval = delong.interval.unwrap();
        assert!((found[0].auroc - delong.auroc).abs() < 1e-12);
        assert!(
            (found[0].interval.low - interval.low).abs() < 0.01,
            "{found:?} {interval:?}"
        );
        assert!((found[0].interval.high - interval.high).abs() < 0.01);
        assert_eq!(
            (found[2].difference, found[2].difference_interval.high),
            (0.0, 0.0)
        );
        assert!((found[1].difference - (found[1].auroc - found[0].auroc)).abs() < 1e-12);
    }

    #[test]
    fn what_was_drawn_twice_counts_twice() {
        let (scores, labels) = ([0.9, 0.8, 0.4, 0.4, 0.5], [true, false, true, false, false]);
        let of = |counts: [u32; 5]| area(&ranked(&scores), &counts, &labels);
        assert!((of([1; 5]).unwrap() - 3.5 / 6.0).abs() < 1e-12);
        // 0.9 twice and 0.4 never: all three negatives lie below.
        assert_eq!(of([2, 1, 0, 1, 1]), Some(1.0));
        assert_eq!(of([0, 1, 0, 1, 1]), None);
    }

    #[test]
    fn no_area_without_both_kinds() {
        assert_eq!(bootstrap_auroc(&[&[1.0]], &[true], 1), Ok(None));
        assert!(bootstrap_auroc(&[&[1.0]], &[], 1).is_err());
        assert!(bootstrap_auroc(&[&[f64::NAN, 0.0]], &[true, false], 1).is_err());
    }
}
