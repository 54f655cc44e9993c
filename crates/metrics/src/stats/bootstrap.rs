//! Bootstrap intervals of means (Efron, "Bootstrap methods: another look at the
//! jackknife", 1979), percentile method.

use rayon::prelude::*;

use super::draws::Draws;
use super::interval::Interval;
use crate::NotFinite;
use crate::value::all_finite;

/// Resamples behind every bootstrap interval and permutation test.
pub const RESAMPLES: usize = 10_000;

/// Columns summed in one pass, as many as fit the vector registers.
const LANES: usize = 8;

/// Interval of the mean of one column; none for an empty one.
pub fn bootstrap_mean(values: &[f64], seed: u64) -> Result<Option<Interval>, NotFinite> {
    Ok(bootstrap_means(&[values], seed)?.pop().flatten())
}

/// Intervals of the means of several columns, in their order.
///
/// The interval runs from the 2.5th to the 97.5th percentile of the resampled
/// means, interpolated linearly. Columns of one length share their resamples:
/// draw i of resample b depends on the seed, b, i and the length alone, so a
/// column has the same interval alone and among others. The index in the error
/// is that in the column.
pub fn bootstrap_means(columns: &[&[f64]], seed: u64) -> Result<Vec<Option<Interval>>, NotFinite> {
    for column in columns {
        all_finite(column)?;
    }
    let mut intervals = vec![None; columns.len()];
    let mut todo: Vec<usize> = (0..columns.len())
        .filter(|&at| !columns[at].is_empty())
        .collect();
    while let Some(&first) = todo.first() {
        let n = columns[first].len();
        let (alike, others) = todo.into_iter().partition(|&at| columns[at].len() == n);
        todo = others;
        let group: Vec<&[f64]> = alike.iter().map(|&at| columns[at]).collect();
        for (at, interval) in alike.iter().zip(of_one_length(&group, n, seed)) {
            intervals[*at] = Some(interval);
        }
    }
    Ok(intervals)
}

fn of_one_length(columns: &[&[f64]], n: usize, seed: u64) -> Vec<Interval> {
    // A question's values lie together: a resample reads whole rows.
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
        .map(|(at, column)| {
            let mut resampled: Vec<f64> = means.iter().skip(at).step_by(width).copied().collect();
            percentiles(&mut resampled, column)
        })
        .collect()
}

/// The middle 95 % of the resampled means, kept within the values: a mean of
/// equal values may leave them by a rounding error.
fn percentiles(resampled: &mut [f64], column: &[f64]) -> Interval {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    middle(resampled, (least, greatest))
}

/// From the 2.5th to the 97.5th percentile, interpolated linearly and cut to a range.
pub(super) fn middle(resampled: &mut [f64], (least, greatest): (f64, f64)) -> Interval {
    let mut at = |share: f64| {
        let position = share * (resampled.len() - 1) as f64;
        let below = position as usize;
        let (_, &mut low, above) = resampled.select_nth_unstable_by(below, f64::total_cmp);
        let high = above.iter().copied().fold(f64::INFINITY, f64::min);
        let value = if above.is_empty() {
            low
        } else {
            low + (high - low) * (position - below as f64)
        };
        value.clamp(least, greatest)
    };
    Interval {
        low: at(0.025),
        high: at(0.975),
    }
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
    fn threads_and_neighbours_change_nothing() {
        let columns: Vec<Vec<f64>> = (0..11).map(|i| column(50 + i % 2, i as u64)).collect();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let all = bootstrap_means(&slices, 5).unwrap();
        let one_thread = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        assert_eq!(
            one_thread.install(|| bootstrap_means(&slices, 5)).unwrap(),
            all
        );
        for (column, interval) in columns.iter().zip(all) {
            assert_eq!(bootstrap_mean(column, 5).unwrap(), interval);
        }
        assert_ne!(
            bootstrap_mean(&columns[0], 6),
            bootstrap_mean(&columns[0], 5)
        );
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
