//! Comparison of two runs on the same questions.

use serde::{Deserialize, Serialize};

use super::{
    StatsError,
    bootstrap::bootstrap_mean,
    interval::{Interval, Z_975},
    mcnemar::mcnemar,
    same_length,
    sign_flip::sign_flip,
};
use crate::{Direction, NotFinite, Value};

/// The 0.80 quantile of the standard normal distribution, for a power of 0.80.
const Z_80: f64 = 0.841_621_233_572_914_3;

/// Significance level.
const ALPHA: f64 = 0.05;

/// Least number of pairs that differ in a change beyond chance.
const LEAST_PAIRS: usize = 6;

/// Least number of questions with which a slice is judged.
const SLICE_QUESTIONS: usize = 10;

/// The test that a p comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairedTest {
    /// Exact McNemar test, for measures that score 0 or 1.
    McNemar,
    /// Sign-flip permutation test.
    SignFlip,
}

/// Whether a run is better or worse than another beyond chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// B is better than A.
    Better,
    /// B is worse than A.
    Worse,
    /// The difference may be chance.
    None,
}

/// One measure of two runs, A and B, on the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// Number of questions with a value in both runs.
    pub n: usize,
    /// Number of questions left out because at least one run has no value for them.
    pub left_out: usize,
    /// Mean of A over the n questions.
    pub mean_a: f64,
    /// Mean of B over the n questions.
    pub mean_b: f64,
    /// Mean of B − A.
    pub difference: f64,
    /// Paired bootstrap interval of `difference`. `None` if all differences are equal and not 0, as
    /// with a single pair: then nothing is known of their spread.
    pub interval: Option<Interval>,
    /// Two-sided p of no difference, not corrected for the number of measures.
    pub p: f64,
    /// The test that `p` comes from.
    pub test: PairedTest,
    /// Number of questions on which B scores higher.
    pub wins: usize,
    /// Number of questions on which both score the same.
    pub ties: usize,
    /// Number of questions on which B scores lower.
    pub losses: usize,
    /// Whether the runs have the same value on every question, including undefined and failed
    /// ones: the setting compared has no effect.
    pub identical: bool,
    /// Smallest detectable difference with these pairs, see [`smallest_detectable_difference`].
    pub mde: Option<f64>,
}

impl Paired {
    /// Compares two runs by one measure. `a[i]` and `b[i]` are the values of question i.
    /// `proportion` means that all values are 0 or 1
    /// ([`Measure::is_proportion`](crate::Measure::is_proportion)).
    ///
    /// A failed question scores 0. Returns `None` if no question has a value in both runs.
    ///
    /// # Errors
    /// If the inputs differ in length or a value is not finite.
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
        let is_constant = differences.windows(2).all(|pair| pair[0] == pair[1]);
        let interval = if is_constant && differences[0] != 0.0 {
            None
        } else {
            bootstrap_mean(&differences, seed)?
        };
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

    /// Whether B is better or worse than A beyond chance. `p` is [`Paired::p`] after the correction
    /// for the number of comparisons. At least six pairs must differ: with five, McNemar's test cannot
    /// reach 0.05.
    pub fn change(&self, p: f64, direction: Direction) -> Change {
        let gain = direction.gain(self.difference);
        if p > ALPHA || self.wins + self.losses < LEAST_PAIRS || gain == 0.0 {
            Change::None
        } else if gain > 0.0 {
            Change::Better
        } else {
            Change::Worse
        }
    }

    /// Whether there are enough pairs to judge a slice of the questions: at least ten.
    pub fn is_slice(&self) -> bool {
        self.n >= SLICE_QUESTIONS
    }
}

/// Returns the smallest true mean difference that as many pairs with the same spread would detect
/// with a two-sided α of 0.05 and a power of 0.80, in the unit of the measure.
///
/// The value is (z₀.₉₇₅ + z₀.₈₀) · s / √n, where s is the sample standard deviation of the
/// differences (Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988).
///
/// Returns `None` for fewer than two pairs, and if all differences are equal, because the spread is
/// then unknown.
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

    const HIGHER: Direction = Direction::HigherIsBetter;
    const LOWER: Direction = Direction::LowerIsBetter;

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
        assert_eq!(paired.interval, Some(Interval { low: 0.0, high: 0.0 }));
        assert_eq!((paired.n, paired.left_out, paired.ties), (4, 1, 4));
        assert_eq!(paired.mde, None);
        // A failed question and a wrong answer score the same but are not identical.
        let mut b = a.clone();
        b[3] = Value::Ok(0.0);
        assert!(!Paired::compare(&a, &b, false, 1).unwrap().unwrap().identical);
    }

    #[test]
    fn mcnemar_for_proportions() {
        let a = values(&[0.0; 10]);
        let b = values(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let paired = Paired::compare(&a, &b, true, 1).unwrap().unwrap();
        assert_eq!(paired.test, PairedTest::McNemar);
        assert!((paired.p - 0.03125).abs() < 1e-12);
        assert_eq!((paired.wins, paired.ties, paired.losses), (6, 4, 0));
        assert_eq!(paired.change(paired.p, HIGHER), Change::Better);
        assert_eq!(paired.change(2.0 * paired.p, HIGHER), Change::None);
        let back = Paired::compare(&b, &a, true, 1).unwrap().unwrap();
        assert_eq!(back.change(back.p, HIGHER), Change::Worse);
        assert_eq!(back.change(back.p, LOWER), Change::Better);
        assert!(back.is_slice());
    }

    #[test]
    fn few_pairs_show_nothing() {
        for n in [1, 2, 5] {
            let (a, b) = (values(&vec![1.0; n]), values(&vec![0.0; n]));
            for proportion in [true, false] {
                let paired = Paired::compare(&a, &b, proportion, 1).unwrap().unwrap();
                assert_eq!(paired.interval, None);
                assert_eq!(paired.change(0.0, HIGHER), Change::None);
                assert!(!paired.is_slice());
            }
        }
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
    fn inputs_that_cannot_be_compared() {
        let values = values(&[1.0]);
        assert!(matches!(
            Paired::compare(&values, &[], false, 1),
            Err(StatsError::Lengths { first: 1, second: 0 })
        ));
        assert_eq!(Paired::compare(&values, &[Value::Undefined], false, 1), Ok(None));
        assert!(Paired::compare(&values, &[Value::Ok(f64::NAN)], false, 1).is_err());
    }
}
