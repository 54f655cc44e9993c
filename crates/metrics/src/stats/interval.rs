//! The interval of an estimate; Wilson's for proportions.

use serde::{Deserialize, Serialize};

/// Two-sided 95 % interval, in the unit of the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end, not below the lower.
    pub high: f64,
}

/// Normal quantile of 0.975: two-sided 5 %.
pub(super) const Z_975: f64 = 1.959_963_984_540_054;

impl Interval {
    /// estimate ± 1.96 standard errors, cut to the range of the estimate.
    pub(super) fn normal(estimate: f64, variance: f64, (least, greatest): (f64, f64)) -> Interval {
        let half = Z_975 * variance.max(0.0).sqrt();
        Interval {
            low: (estimate - half).max(least),
            high: (estimate + half).min(greatest),
        }
    }
}

/// Wilson's score interval of a proportion (Wilson, "Probable inference, the
/// law of succession, and statistical inference", 1927), in \[0, 1\].
///
/// None without a trial, or with more successes than trials.
pub fn wilson(successes: usize, n: usize) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let (k, n) = (successes as f64, n as f64);
    let z2 = Z_975 * Z_975;
    let center = (k + z2 / 2.0) / (n + z2);
    let half = Z_975 / (n + z2) * (k * (n - k) / n + z2 / 4.0).sqrt();
    Some(Interval {
        // At the ends the formula is exact on paper and off by rounding.
        low: if k == 0.0 { 0.0 } else { center - half },
        high: if k == n { 1.0 } else { center + half },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_value() {
        let interval = wilson(24, 30).unwrap();
        assert!((interval.low - 0.627).abs() < 5e-4);
        assert!((interval.high - 0.905).abs() < 5e-4);
    }

    #[test]
    fn ends() {
        assert_eq!(wilson(0, 10).unwrap().low, 0.0);
        assert_eq!(wilson(10, 10).unwrap().high, 1.0);
        assert!((wilson(0, 10).unwrap().high - 0.2775).abs() < 5e-5);
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
    }
}
