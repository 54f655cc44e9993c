//! McNemar's exact test (McNemar, "Note on the sampling error of the difference
//! between correlated proportions or percentages", 1947).

use super::counting::ln_choose;

/// Two-sided p of a paired 0/1 measure: the binomial test of the pairs that
/// differ, `b_only` right in the second arm alone and `a_only` in the first.
///
/// 2 · P(X ≤ smaller), X ~ Binomial(pairs that differ, ½), at most 1; 1 without
/// such pairs.
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
