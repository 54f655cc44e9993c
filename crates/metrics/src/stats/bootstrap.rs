//! Bootstrap intervals of means by the percentile method (Efron, "Bootstrap methods: another look
//! at the jackknife", 1979).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{draws::Draws, interval::Interval};
use crate::{NotFinite, value::all_finite};

/// Number of resamples of every bootstrap interval and permutation test.
pub const RESAMPLES: usize = 10_000;

/// Number of columns summed in one pass: as many as fit the vector registers.
const LANES: usize = 8;

/// Returns the interval of the mean of a column, or `None` if it is empty.
///
/// # Errors
/// If a value is not finite.
pub fn bootstrap_mean(values: &[f64], seed: u64) -> Result<Option<Interval>, NotFinite> {
    Ok(bootstrap_means(&[values], seed)?.pop().flatten())
}

/// Returns the intervals of the means of several columns, in their order; `None` for an empty
/// column.
///
/// The interval goes from the 2.5th to the 97.5th percentile of the resampled means, interpolated
/// linearly. Columns of the same length share their resamples: draw i of resample b depends only
/// on the seed, b, i and the length, so a column has the same interval alone and among others.
///
/// # Errors
/// If a value is not finite. The error holds its index in the column.
pub fn bootstrap_means(columns: &[&[f64]], seed: u64) -> Result<Vec<Option<Interval>>, NotFinite> {
    for column in columns {
        all_finite(column)?;
    }
    let mut intervals = vec![None; columns.len()];
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, column) in columns.iter().enumerate() {
        by_length.entry(column.len()).or_default().push(index);
    }
    by_length.remove(&0);
    for (length, indices) in by_length {
        let group: Vec<&[f64]> = indices.iter().map(|&index| columns[index]).collect();
        for (index, interval) in indices.into_iter().zip(intervals_of(&group, length, seed)) {
            intervals[index] = Some(interval);
        }
    }
    Ok(intervals)
}

fn intervals_of(columns: &[&[f64]], n: usize, seed: u64) -> Vec<Interval> {
    // The values of a question are adjacent, because a resample reads whole rows.
    let blocks: Vec<Vec<[f64; LANES]>> = columns
        .chunks(LANES)
        .map(|columns| {
            let row = |i: usize| {
                let mut row = [0.0; LANES];
                for (cell, column) in row.iter_mut().zip(columns) {
                    *cell = column[i];
                }
                row
            };
            (0..n).map(row).collect()
        })
        .collect();
    let width = blocks.len() * LANES;
    let mut means = vec![0.0; RESAMPLES * width];
    means.par_chunks_mut(width).enumerate().for_each_init(
        || vec![0u32; n],
        |indices, (resample, means)| {
            Draws::new(seed, resample as u64).fill(indices, n as u32);
            for (means, rows) in means.chunks_mut(LANES).zip(&blocks) {
                let mut sums = [0.0; LANES];
                for &i in indices.iter() {
                    for (sum, value) in sums.iter_mut().zip(&rows[i as usize]) {
                        *sum += value;
                    }
                }
                for (mean, sum) in means.iter_mut().zip(sums) {
                    *mean = sum / n as f64;
                }
            }
        },
    );
    columns
        .par_iter()
        .enumerate()
        .map(|(index, column)| {
            let resampled = means.iter().skip(index).step_by(width).copied();
            // Rounding may move the mean of equal values outside them.
            let least = column.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            percentile_interval(&mut resampled.collect::<Vec<f64>>(), (least, greatest))
        })
        .collect()
}

/// The interval from the 2.5th to the 97.5th percentile, interpolated linearly and cut to a range.
pub(super) fn percentile_interval(
    resampled: &mut [f64],
    (least, greatest): (f64, f64),
) -> Interval {
    let mut quantile = |share: f64| {
        let position = share * (resampled.len() - 1) as f64;
        let below = position as usize;
        let (_, &mut low, above) = resampled.select_nth_unstable_by(below, f64::total_cmp);
        let high = above.iter().copied().fold(f64::INFINITY, f64::min);
        let value =
            if above.is_empty() { low } else { low + (high - low) * (position - below as f64) };
        value.clamp(least, greatest)
    };
    Interval { low: quantile(0.025), high: quantile(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(n: usize, salt: u64) -> Vec<f64> {
        (0..n)
            .map(|i| (Draws::new(salt, 0).bits(i as u64) >> 11) as f64 / (1u64 << 53) as f64)
            .collect()
    }

    #[test]
    fn close_to_the_normal_interval() {
        let values = column(400, 3);
        let mean = values.iter().sum::<f64>() / 400.0;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 400.0;
        let half = 1.96 * (variance / 400.0).sqrt();
        let interval = bootstrap_mean(&values, 7).unwrap().unwrap();
        assert!((interval.low - (mean - half)).abs() < 0.002);
        assert!((interval.high - (mean + half)).abs() < 0.002);
    }

    #[test]
    fn threads_and_other_columns_do_not_change_an_interval() {
        let columns: Vec<Vec<f64>> = (0..11).map(|i| column(50 + i % 2, i as u64)).collect();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let all = bootstrap_means(&slices, 5).unwrap();
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one_thread.install(|| bootstrap_means(&slices, 5)).unwrap(), all);
        for (column, interval) in columns.iter().zip(all) {
            assert_eq!(bootstrap_mean(column, 5).unwrap(), interval);
        }
        assert_ne!(bootstrap_mean(&columns[0], 6), bootstrap_mean(&columns[0], 5));
    }

    #[test]
    fn equal_values_have_no_width() {
        let interval = bootstrap_mean(&[0.1; 1000], 1).unwrap().unwrap();
        assert_eq!((interval.low, interval.high), (0.1, 0.1));
        assert_eq!(bootstrap_mean(&[], 1).unwrap(), None);
        assert_eq!(bootstrap_mean(&[0.0, f64::NAN], 1).unwrap_err().index, 1);
    }

    #[test]
    fn negated_values_mirror_the_interval() {
        let values = column(30, 9);
        let negated: Vec<f64> = values.iter().map(|v| -v).collect();
        let a = bootstrap_mean(&values, 1).unwrap().unwrap();
        let b = bootstrap_mean(&negated, 1).unwrap().unwrap();
        assert!((a.low + b.high).abs() < 1e-12 && (a.high + b.low).abs() < 1e-12);
    }
}
