//! Two runs on the same questions.

use serde::{Deserialize, Serialize};

use super::bootstrap::bootstrap_mean;
use super::interval::{Interval, Z_975};
use super::mcnemar::mcnemar;
use super::sign_flip::sign_flip;
use super::{StatsError, same_length};
use crate::{NotFinite, Value};

/// Normal quantile of 0.80, the power.
const Z_80: f64 = 0.841_621_233_572_914_3;

/// A slice that is lower by this much got worse.
const WORSE: f64 = 0.05;

/// Questions below which a slice says nothing.
const LEAST_SLICE: usize = 10;

/// The test behind a p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairedTest {
    /// Exact McNemar test, for measures of 0 or 1.
    McNemar,
    /// Sign-flip permutation test.
    SignFlip,
}

/// One measure of two runs, A and then B.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// Questions with a value in both runs.
    pub n: usize,
    /// Questions left out because a run has no value for them.
    pub left_out: usize,
    /// Mean of A over the n questions.
    pub mean_a: f64,
    /// Mean of B over the n questions.
    pub mean_b: f64,
    /// Mean of B − A.
    pub difference: f64,
    /// Paired bootstrap interval of the difference.
    pub interval: Interval,
    /// Two-sided p of no difference, not yet corrected for the family of measures.
    pub p: f64,
    /// What `p` comes from.
    pub test: PairedTest,
    /// Questions on which B is higher.
    pub wins: usize,
    /// Questions on which both are equal.
    pub ties: usize,
    /// Questions on which B is lower.
    pub losses: usize,
    /// Whether the runs have the same value on every question, those left out
    /// and those that failed included: the option compared has no effect.
    pub identical: bool,
    /// Smallest detectable difference with these pairs.
    pub mde: Option<f64>,
}

impl Paired {
    /// Compares two runs by one measure, `proportion` saying that its values are
    /// 0 or 1 ([`Measure::is_proportion`](crate::Measure::is_proportion)).
    ///
    /// A failed question scores 0. None where no question has a value in both.
    pub fn compare(
        a: &[Value],
        b: &[Value],
        proportion: bool,
        seed: u64,
    ) -> Result<Option<Paired>, StatsError> {
        same_length(a, b)?;
        let mut pairs = Vec::with_capacity(a.len());
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            if let (Some(a), Some(b)) = (a.score(), b.score()) {
                match [a, b].into_iter().find(|v| !v.is_finite()) {
                    Some(value) => return Err(NotFinite { index, value }.into()),
                    None => pairs.push((a, b)),
                }
            }
        }
        if pairs.is_empty() {
            return Ok(None);
        }
        let n = pairs.len();
        let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
        let mean = |sum: f64| sum / n as f64;
        let wins = differences.iter().filter(|&&d| d > 0.0).count();
        let losses = differences.iter().filter(|&&d| d < 0.0).count();
        let difference = mean(differences.iter().sum());
        let interval = bootstrap_mean(&differences, seed)?.unwrap_or(Interval {
            low: difference,
            high: difference,
        });
        let (test, p) = if proportion {
            (PairedTest::McNemar, mcnemar(wins, losses))
        } else {
            (PairedTest::SignFlip, sign_flip(&differences, seed)?)
        };
        Ok(Some(Paired {
            n,
            left_out: a.len() - n,
            mean_a: mean(pairs.iter().map(|(a, _)| a).sum()),
            mean_b: mean(pairs.iter().map(|(_, b)| b).sum()),
            difference,
            interval,
            p,
            test,
            wins,
            ties: n - wins - losses,
            losses,
            identical: a == b,
            mde: smallest_detectable_difference(&differences),
        }))
    }

    /// Whether B is a regression: the interval lies wholly below 0, or above it where a smaller
    /// value is the better one.
    pub fn is_regression(&self, lower_is_better: bool) -> bool {
        match lower_is_better {
            true => self.interval.low > 0.0,
            false => self.interval.high < 0.0,
        }
    }

    /// Whether B is better beyond chance: the interval lies wholly on the other side.
    pub fn is_improvement(&self, lower_is_better: bool) -> bool {
        self.is_regression(!lower_is_better)
    }

    /// Whether a slice got worse by 0.05 or more with n of 10 or more.
    pub fn slice_is_worse(&self, lower_is_better: bool) -> bool {
        let gain = match lower_is_better {
            true => -self.difference,
            false => self.difference,
        };
        // 0.75 - 0.80 is a little above -0.05 in floating point.
        self.n >= LEAST_SLICE && gain <= -WORSE + 1e-9
    }
}

/// The smallest true difference that this many pairs with this spread would
/// show: (z₀.₉₇₅ + z₀.₈₀) · standard deviation of the differences / √n, for a
/// two-sided α of 0.05 and a power of 0.80. In the unit of the measure.
///
/// None for fewer than two pairs, and where no difference varies: nothing tells
/// the spread then.
pub fn smallest_detectable_difference(differences: &[f64]) -> Option<f64> {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    let varies = differences.windows(2).any(|pair| pair[0] != pair[1]);
    (varies && deviation.is_finite()).then(|| (Z_975 + Z_80) * deviation / n.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(scores: &[f64]) -> Vec<Value> {
        scores.iter().map(|&score| Value::Ok(score)).collect()
    }

    #[test]
    fn identical_runs() {
        let mut a = values(&[0.25, 1.0, 0.5]);
        a.push(Value::Failed);
        a.push(Value::Undefined);
        let paired = Paired::compare(&a, &a, false, 1).unwrap().unwrap();
        assert!(paired.identical);
        assert_eq!((paired.difference, paired.p), (0.0, 1.0));
        assert_eq!(
            paired.interval,
            Interval {
                low: 0.0,
                high: 0.0
            }
        );
        assert_eq!((paired.n, paired.left_out, paired.ties), (4, 1, 4));
        assert_eq!(paired.mde, None);
        // A failure and a miss score the same and are not the same.
        let mut b = a.clone();
        b[3] = Value::Ok(0.0);
        assert!(
            !Paired::compare(&a, &b, false, 1)
                .unwrap()
                .unwrap()
                .identical
        );
    }

    #[test]
    fn mcnemar_for_proportions() {
        let a = values(&[0.0; 10]);
        let b = values(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let paired = Paired::compare(&a, &b, true, 1).unwrap().unwrap();
        assert_eq!(paired.test, PairedTest::McNemar);
        assert!((paired.p - 0.03125).abs() < 1e-12);
        assert_eq!((paired.wins, paired.ties, paired.losses), (6, 4, 0));
        assert!(!paired.is_regression(false) && paired.is_improvement(false));
        let back = Paired::compare(&b, &a, true, 1).unwrap().unwrap();
        assert!(back.is_regression(false) && back.slice_is_worse(false));
        assert!(back.is_improvement(true) && !back.slice_is_worse(true));
    }

    #[test]
    fn a_slice_needs_ten_questions_and_five_hundredths() {
        let worse = |n: usize, by: f64| {
            let (a, b) = (values(&vec![0.8; n]), values(&vec![0.8 - by; n]));
            Paired::compare(&a, &b, false, 1)
                .unwrap()
                .unwrap()
                .slice_is_worse(false)
        };
        assert!(worse(10, 0.05));
        assert!(!worse(9, 0.05));
        assert!(!worse(10, 0.04));
    }

    #[test]
    fn detectable_difference() {
        // 2.8016 · sd / √n with sd = 1 (n − 1) and n = 5.
        let mde = smallest_detectable_difference(&[-1.0, -1.0, 0.0, 1.0, 1.0]).unwrap();
        assert!((mde - 2.801_585_218 / 5f64.sqrt()).abs() < 1e-8);
        assert_eq!(smallest_detectable_difference(&[0.5]), None);
        assert_eq!(smallest_detectable_difference(&[]), None);
        assert_eq!(smallest_detectable_difference(&[0.1, 0.1, 0.1]), None);
    }

    #[test]
    fn what_cannot_be_compared() {
        let one = values(&[1.0]);
        assert!(matches!(
            Paired::compare(&one, &[], false, 1),
            Err(StatsError::Lengths {
                first: 1,
                second: 0
            })
        ));
        assert_eq!(
            Paired::compare(&one, &[Value::Undefined], false, 1),
            Ok(None)
        );
        assert!(Paired::compare(&one, &[Value::Ok(f64::NAN)], false, 1).is_err());
    }
}
