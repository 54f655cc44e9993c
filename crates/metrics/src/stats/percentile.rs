//! Percentiles by nearest rank.

/// The smallest value with at least `percent` % of the values at or below it: of
/// 1..20, the 95th is 19. In the unit of the values.
///
/// None of no values, for a value that is NaN, and outside 0 to 100.
pub fn percentile(values: &[f64], percent: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=100.0).contains(&percent) || values.iter().any(|v| v.is_nan()) {
        return None;
    }
    // 0.95 · 20 is 19 on paper; rounding must not make it 20.
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
        for (percent, expected) in [
            (95.0, 19.0),
            (50.0, 10.0),
            (99.0, 20.0),
            (0.0, 1.0),
            (100.0, 20.0),
        ] {
            assert_eq!(percentile(&values, percent), Some(expected));
        }
        assert_eq!(percentile(&[], 50.0), None);
        assert_eq!(percentile(&[f64::NAN], 50.0), None);
        assert_eq!(percentile(&[1.0], 101.0), None);
    }
}
