//! McNemar's exact test (McNemar, "Note on the sampling error of the difference between correlated
//! proportions or percentages", 1947).

use super::counting::ln_choose;

/// Returns the two-sided p of no difference between two runs in a 0/1 measure, by the exact
/// binomial test of the pairs that differ. `b_only` questions score 1 only in B, `a_only` only in
/// A.
///
/// The value is 2 · P(X ≤ min(`a_only`, `b_only`)) with X ~ Binomial(`a_only` + `b_only`, ½), at
/// most 1; it is 1 if no pair differs.
pub fn mcnemar(b_only: usize, a_only: usize) -> f64 {
    let n = (b_only + a_only) as u64;
    let tail: f64 = (0..=b_only.min(a_only) as u64)
        .map(|i| (ln_choose(n, i) - n as f64 * std::f64::consts::LN_2).exp())
        .sum();
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_values() {
        for (b, a, p) in [
            (6, 0, 0.03125),
            (5, 0, 0.0625),
            (8, 1, 0.0390625),
            (1, 8, 0.0390625),
            (0, 0, 1.0),
            (3, 3, 1.0),
        ] {
            assert!((mcnemar(b, a) - p).abs() < 1e-12, "{b}-{a}");
        }
        // Exact integer arithmetic: 2 * sum(comb(10000, i) for i in range(4801)) / 2**10000.
        assert!((mcnemar(4_800, 5_200) - 6.593_515_598_672e-5).abs() < 1e-14);
    }
}
