//! Agreement of a judge with human labels.

use serde::{Deserialize, Serialize};

use super::{
    StatsError,
    interval::{Interval, wilson},
    same_length,
};

/// Agreement of a yes/no judge with human labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agreement {
    /// Number of labelled items.
    pub n: usize,
    /// Share of the items with the same label from both, in \[0, 1\].
    pub agreement: f64,
    /// Wilson interval of `agreement`.
    pub agreement_interval: Interval,
    /// Share of the items that people label yes, in \[0, 1\].
    pub base_rate: f64,
    /// Wilson interval of `base_rate`.
    pub base_rate_interval: Interval,
    /// Cohen's kappa, in \[−1, 1\]: (agreement − agreement by chance) / (1 − agreement by chance).
    /// `None` if both give the same single label to all items.
    pub kappa: Option<f64>,
    /// Interval of `kappa`, from the large-sample variance of Fleiss, Cohen and Everitt.
    pub kappa_interval: Option<Interval>,
}

/// Compares a judge's verdicts with human labels of the same items, in the same order. Returns
/// `None` without items.
///
/// Kappa is Cohen's ("A coefficient of agreement for nominal scales", 1960), its variance that of
/// Fleiss, Cohen and Everitt ("Large sample standard errors of kappa and weighted kappa", 1969).
/// The interval is too narrow for few items, and has no width at perfect agreement.
///
/// # Errors
/// If the inputs differ in length.
pub fn agreement(judge: &[bool], human: &[bool]) -> Result<Option<Agreement>, StatsError> {
    same_length(judge, human)?;
    let count = |j: bool, h: bool| judge.iter().zip(human).filter(|&p| p == (&j, &h)).count();
    let (both, judge_only) = (count(true, true), count(true, false));
    let (human_only, neither) = (count(false, true), count(false, false));
    let n = judge.len();
    let (Some(agreement_interval), Some(base_rate_interval)) =
        (wilson(both + neither, n), wilson(both + human_only, n))
    else {
        return Ok(None);
    };
    let share = |part: usize| part as f64 / n as f64;
    let table = [[share(both), share(judge_only)], [share(human_only), share(neither)]];
    let kappa = kappa(table);
    Ok(Some(Agreement {
        n,
        agreement: share(both + neither),
        agreement_interval,
        base_rate: share(both + human_only),
        base_rate_interval,
        kappa: kappa.map(|(kappa, _)| kappa),
        kappa_interval: kappa
            .map(|(kappa, variance)| Interval::normal(kappa, variance / n as f64, (-1.0, 1.0))),
    }))
}

/// Returns kappa and n times its variance, from a table of shares. Rows are the judge's labels,
/// columns the human ones; yes comes first.
fn kappa(p: [[f64; 2]; 2]) -> Option<(f64, f64)> {
    let row = [p[0][0] + p[0][1], p[1][0] + p[1][1]];
    let column = [p[0][0] + p[1][0], p[0][1] + p[1][1]];
    let observed = p[0][0] + p[1][1];
    let expected = row[0] * column[0] + row[1] * column[1];
    let beyond_chance = 1.0 - expected;
    if beyond_chance <= 1e-12 {
        return None;
    }
    let kappa = (observed - expected) / beyond_chance;
    let miss = 1.0 - kappa;
    let agreeing: f64 = (0..2).map(|i| p[i][i] * (1.0 - (row[i] + column[i]) * miss).powi(2)).sum();
    let differing = miss.powi(2)
        * (p[0][1] * (column[0] + row[1]).powi(2) + p[1][0] * (column[1] + row[0]).powi(2));
    let chance = (kappa - expected * miss).powi(2);
    Some((kappa, (agreeing + differing - chance) / beyond_chance.powi(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(counts: [usize; 4]) -> (Vec<bool>, Vec<bool>) {
        let kinds = [(true, true), (true, false), (false, true), (false, false)];
        kinds.iter().zip(counts).flat_map(|(&kind, count)| std::iter::repeat_n(kind, count)).unzip()
    }

    #[test]
    fn kappa_of_a_known_table() {
        // 20 5 / 10 15: agreement 0.70, kappa 0.40.
        let (judge, human) = labels([20, 5, 10, 15]);
        let agreement = agreement(&judge, &human).unwrap().unwrap();
        assert!((agreement.agreement - 0.70).abs() < 1e-12);
        assert!((agreement.base_rate - 0.60).abs() < 1e-12);
        assert!((agreement.kappa.unwrap() - 0.40).abs() < 1e-12);
        // statsmodels: cohens_kappa([[20, 5], [10, 15]]).std_kappa
        let interval = agreement.kappa_interval.unwrap();
        let error = (interval.high - interval.low) / 2.0 / 1.959_963_984_540_054;
        assert!((error - 0.126_996).abs() < 1e-5, "{error}");
    }

    #[test]
    fn always_yes_agrees_with_the_base_rate_and_has_no_skill() {
        let (judge, human) = labels([80, 20, 0, 0]);
        let agreement = agreement(&judge, &human).unwrap().unwrap();
        assert!((agreement.agreement - 0.8).abs() < 1e-12);
        assert!(agreement.kappa.unwrap().abs() < 1e-12);
    }

    #[test]
    fn one_label_throughout_has_no_kappa() {
        let (judge, human) = labels([5, 0, 0, 0]);
        assert_eq!(agreement(&judge, &human).unwrap().unwrap().kappa, None);
        assert_eq!(agreement(&[], &[]), Ok(None));
        assert!(agreement(&[true], &[]).is_err());
    }
}
