//! Binomial coefficients and the hypergeometric test.

use std::f64::consts::PI;

/// Returns the one-sided p of over-representation: the probability of at least `hits` marked items
/// among `drawn`, if `marked` of `total` items are marked. This is the upper tail of the
/// hypergeometric distribution, as in Fisher's exact test (Fisher, "The Design of Experiments",
/// 1935).
///
/// Returns `None` if the counts are impossible, such as more drawn items than `total`.
pub fn over_representation(hits: u64, drawn: u64, marked: u64, total: u64) -> Option<f64> {
    if drawn > total || marked > total {
        return None;
    }
    let (least, most) = ((drawn + marked).saturating_sub(total), drawn.min(marked));
    if !(least..=most).contains(&hits) {
        return None;
    }
    if hits == least {
        return Some(1.0);
    }
    let all = ln_choose(total, drawn);
    let tail: f64 = (hits..=most)
        .map(|x| (ln_choose(marked, x) + ln_choose(total - marked, drawn - x) - all).exp())
        .sum();
    Some(tail.min(1.0))
}

/// Natural logarithm of the binomial coefficient n over k. `k` must be at most `n`.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// Returns ln n!: a sum below 64, and from there on Stirling's series, whose first omitted term is
/// below 1e-15.
fn ln_factorial(n: u64) -> f64 {
    if n < 64 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let n = n as f64;
    let inverse = 1.0 / n;
    let series = inverse / 12.0 - inverse.powi(3) / 360.0 + inverse.powi(5) / 1260.0;
    n * n.ln() - n + 0.5 * (2.0 * PI * n).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_equals_sum() {
        let sum: f64 = (2..=70).map(|i| f64::from(i).ln()).sum();
        assert!((ln_factorial(70) - sum).abs() < 1e-11);
        assert!((ln_choose(10, 3).exp() - 120.0).abs() < 1e-9);
    }

    #[test]
    fn hypergeometric_tail() {
        // The lady tasting tea: 4 of 4 right, 1 / C(8, 4).
        let p = over_representation(4, 4, 4, 8).unwrap();
        assert!((p - 1.0 / 70.0).abs() < 1e-12);
        assert!((over_representation(3, 4, 4, 8).unwrap() - 17.0 / 70.0).abs() < 1e-12);
        assert_eq!(over_representation(0, 4, 4, 8), Some(1.0));
        assert_eq!(over_representation(2, 5, 5, 8), Some(1.0));
        for (hits, drawn, marked, total) in [(5, 4, 6, 8), (1, 9, 4, 8), (1, 4, 9, 8), (1, 5, 5, 8)]
        {
            assert_eq!(over_representation(hits, drawn, marked, total), None);
        }
    }
}
