//! The sign-flip permutation test of paired differences (Fisher, "The Design of
//! Experiments", 1935; for retrieval Smucker et al., "A comparison of statistical
//! significance tests for information retrieval evaluation", 2007).

use rayon::prelude::*;

use super::bootstrap::RESAMPLES;
use super::draws::Draws;
use crate::NotFinite;
use crate::value::all_finite;

/// Two-sided p that the mean difference is 0: (b + 1) / (B + 1), b of B = 10,000
/// random assignments of signs having a sum at least as far from 0.
///
/// The signs depend on the seed and the position alone. 1 when no difference
/// differs from 0.
pub fn sign_flip(differences: &[f64], seed: u64) -> Result<f64, NotFinite> {
    all_finite(differences)?;
    // A difference of 0 adds nothing whatever its sign.
    let moved: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    let observed = moved.iter().sum::<f64>().abs();
    // Sums of the same numbers in another order of signs differ by rounding.
    let slack = 1e-12 * moved.iter().map(|d| d.abs()).sum::<f64>();
    let as_far = (0..RESAMPLES as u64)
        .into_par_iter()
        .filter(|&resample| {
            let draws = Draws::new(seed, resample);
            let mut sum = 0.0;
            for (position, chunk) in (0..).zip(moved.chunks(64)) {
                let bits = draws.bits(position);
                for (at, difference) in chunk.iter().enumerate() {
                    let sign = (bits >> at) << 63;
                    sum += f64::from_bits(difference.to_bits() ^ sign);
                }
            }
            sum.abs() >= observed - slack
        })
        .count();
    Ok((as_far as f64 + 1.0) / (RESAMPLES as f64 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_are_met() {
        // Six equal differences of one sign: 2 of the 64 assignments are as far.
        let p = sign_flip(&[0.1; 6], 3).unwrap();
        assert!((p - 2.0 / 64.0).abs() < 0.006, "{p}");
        assert_eq!(sign_flip(&[0.0; 9], 1), Ok(1.0));
        assert_eq!(sign_flip(&[], 1), Ok(1.0));
        assert_eq!(sign_flip(&[0.5, -0.5], 1), Ok(1.0));
        let p = sign_flip(&[0.1; 100], 3).unwrap();
        assert_eq!(p, 1.0 / 10_001.0);
        assert!(sign_flip(&[f64::NAN], 1).is_err());
    }

    #[test]
    fn threads_change_nothing() {
        let differences: Vec<f64> = (0..150).map(|i| f64::from(i % 7) - 2.7).collect();
        let one_thread = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let p = one_thread.install(|| sign_flip(&differences, 11));
        assert_eq!(p, sign_flip(&differences, 11));
    }
}
