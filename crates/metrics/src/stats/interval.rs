//! Intervals of estimates, and Wilson's interval of a proportion.

use serde::{Deserialize, Serialize};

/// A two-sided 95 % interval, in the unit of the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end, at least `low`.
    pub high: f64,
}

/// The 0.975 quantile of the standard normal distribution, for a two-sided level of 5 %.
pub(super) const Z_975: f64 = 1.959_963_984_540_054;

impl Interval {
    /// The interval of ± 1.96 standard errors around an estimate, cut to its range.
    pub(super) fn normal(estimate: f64, variance: f64, (least, greatest): (f64, f64)) -> Interval {
        let half = Z_975 * variance.max(0.0).sqrt();
        Interval { low: (estimate - half).max(least), high: (estimate + half).min(greatest) }
    }
}

/// Returns Wilson's score interval of a proportion, in \[0, 1\] (Wilson, "Probable inference, the law
/// of succession, and statistical inference", 1927).
///
/// Returns `None` if `n` is 0 or less than `successes`.
pub fn wilson(successes: usize, n: usize) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let (k, n) = (successes as f64, n as f64);
    let z2 = Z_975 * Z_975;
    let center = (k + z2 / 2.0) / (n + z2);
    let half = Z_975 / (n + z2) * (k * (n - k) / n + z2 / 4.0).sqrt();
    Some(Interval {
        // The formula gives exactly 0 and 1 at the ends, but for rounding.
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
