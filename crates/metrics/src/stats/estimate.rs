//! The means of a run with their intervals.

use serde::{Deserialize, Serialize};

use super::{
    bootstrap::bootstrap_means,
    interval::{Interval, wilson},
};
use crate::{Mean, Measure, NotFinite, Value};

/// A mean with its counts and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The mean and its counts.
    #[serde(flatten)]
    pub mean: Mean,
    /// Wilson's interval for proportions and for columns of zeros or ones only, else a bootstrap
    /// interval. `None` if n is 0 or 1, or all values are equal: then nothing is known of their spread.
    pub interval: Option<Interval>,
}

/// Estimates every measure of a run from its values per question, in the given order.
///
/// Bootstrap intervals resample the questions that have a value. Measures with equally many such
/// questions share their resamples.
///
/// # Errors
/// If a value is not finite. The error holds the index of the question.
pub fn estimate(columns: &[(Measure, Vec<Value>)], seed: u64) -> Result<Vec<Estimate>, NotFinite> {
    let scores: Vec<Vec<f64>> = columns
        .iter()
        .map(|(_, values)| values.iter().filter_map(|value| value.score()).collect())
        .collect();
    let mut estimates = Vec::with_capacity(columns.len());
    let mut resampled: Vec<(usize, &[f64])> = Vec::new();
    for (index, ((measure, values), scores)) in columns.iter().zip(&scores).enumerate() {
        let mean = Mean::from_values(values.iter().copied())?;
        let mut interval = None;
        let is_binary = scores.iter().all(|&score| score == 0.0 || score == 1.0);
        let is_constant = scores.windows(2).all(|pair| pair[0] == pair[1]);
        if is_binary && (measure.is_proportion() || is_constant && scores.len() > 1) {
            interval = wilson(scores.iter().filter(|&&score| score == 1.0).count(), scores.len());
        } else if !is_constant {
            resampled.push((index, scores));
        }
        estimates.push(Estimate { mean, interval });
    }
    let slices: Vec<&[f64]> = resampled.iter().map(|&(_, scores)| scores).collect();
    for ((index, _), interval) in resampled.iter().zip(bootstrap_means(&slices, seed)?) {
        estimates[*index].interval = interval;
    }
    Ok(estimates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_for_proportions_and_bootstrap_otherwise() {
        let hits: Vec<Value> = (0..30).map(|i| Value::from(i < 24)).collect();
        let mut f1: Vec<Value> = (0..30).map(|i| Value::Ok(f64::from(i) / 29.0)).collect();
        f1[0] = Value::Undefined;
        let columns = [
            ("hit@5".parse().unwrap(), hits),
            ("F1".parse().unwrap(), f1.clone()),
            ("AP".parse().unwrap(), vec![Value::Undefined; 30]),
        ];
        let estimates = estimate(&columns, 1).unwrap();
        assert_eq!(estimates[0].interval, wilson(24, 30));
        assert_eq!((estimates[1].mean.n, estimates[1].mean.undefined), (29, 1));
        let scores: Vec<f64> = f1.iter().filter_map(|v| v.score()).collect();
        let alone = super::super::bootstrap_mean(&scores, 1).unwrap();
        assert_eq!(estimates[1].interval, alone);
        assert_eq!((estimates[2].mean.mean, estimates[2].interval), (None, None));
        let interval = |name: &str, values: &[f64]| {
            let values = values.iter().map(|&value| Value::Ok(value)).collect();
            estimate(&[(name.parse().unwrap(), values)], 1).unwrap()[0].interval
        };
        assert_eq!(interval("EM", &[1.0]), wilson(1, 1));
        assert_eq!(interval("P@1", &[1.0, 0.0]), wilson(1, 2));
        assert_eq!(interval("RR@1", &[1.0; 3]), wilson(3, 3));
        assert_eq!(interval("nDCG@10", &[1.0; 3]), wilson(3, 3));
        assert_eq!(interval("F1", &[0.8; 3]), None);
        assert_eq!(interval("F1", &[1.0]), None);
        let json = serde_json::to_string(&estimates[0]).unwrap();
        assert!(json.starts_with("{\"mean\":0.8,\"n\":30,\"undefined\":0,\"failed\":0,"), "{json}");
        assert_eq!(serde_json::from_str::<Estimate>(&json).unwrap(), estimates[0]);
    }
}
