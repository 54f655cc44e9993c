//! Percentiles by nearest rank.

/// Returns the smallest value with at least `percent` % of the values at or below it, in the unit
/// of the values. The 95th percentile of the integers 1 to 20 is 19.
///
/// Returns `None` if `values` is empty or contains NaN, or if `percent` is outside 0 to 100.
pub fn percentile(values: &[f64], percent: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=100.0).contains(&percent) || values.iter().any(|v| v.is_nan()) {
        return None;
    }
    // Without the slack, rounding may turn an exact rank such as 0.95 · 20 into the next one.
    let rank = (percent * values.len() as f64 / 100.0 - 1e-9).ceil() as usize;
    let mut values = values.to_vec();
    let (_, value, _) = values.select_nth_unstable_by(rank.max(1) - 1, f64::total_cmp);
    Some(*value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        for (percent, expected) in
            [(95.0, 19.0), (50.0, 10.0), (99.0, 20.0), (0.0, 1.0), (100.0, 20.0)]
        {
            assert_eq!(percentile(&values, percent), Some(expected));
        }
        assert_eq!(percentile(&[], 50.0), None);
        assert_eq!(percentile(&[f64::NAN], 50.0), None);
        assert_eq!(percentile(&[1.0], 101.0), None);
    }
}
