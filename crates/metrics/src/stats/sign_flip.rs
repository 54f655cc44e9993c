//! The sign-flip permutation test of paired differences (Fisher, "The Design of Experiments",
//! 1935; for retrieval: Smucker et al., "A comparison of statistical significance tests for
//! information retrieval evaluation", 2007).

use rayon::prelude::*;

use super::{bootstrap::RESAMPLES, draws::Draws};
use crate::{NotFinite, value::all_finite};

/// Returns the two-sided p of a mean difference of 0: (b + 1) / (B + 1), where b of B = 10,000
/// random assignments of signs give a sum at least as far from 0 as the observed one.
///
/// The signs depend only on the seed and the position. The value is 1 if all differences are 0.
///
/// # Errors
/// If a difference is not finite.
pub fn sign_flip(differences: &[f64], seed: u64) -> Result<f64, NotFinite> {
    all_finite(differences)?;
    // A difference of 0 adds nothing with either sign.
    let nonzero: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    let observed = nonzero.iter().sum::<f64>().abs();
    // Equal sums under other signs may differ by rounding.
    let slack = 1e-12 * nonzero.iter().map(|d| d.abs()).sum::<f64>();
    let extreme = (0..RESAMPLES as u64)
        .into_par_iter()
        .filter(|&resample| {
            let draws = Draws::new(seed, resample);
            let mut sum = 0.0;
            for (position, chunk) in (0..).zip(nonzero.chunks(64)) {
                let bits = draws.bits(position);
                for (bit, difference) in chunk.iter().enumerate() {
                    let sign = (bits >> bit) << 63;
                    sum += f64::from_bits(difference.to_bits() ^ sign);
                }
            }
            sum.abs() >= observed - slack
        })
        .count();
    Ok((extreme as f64 + 1.0) / (RESAMPLES as f64 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_exact_test() {
        // Six equal differences of one sign: 2 of the 64 assignments are as extreme.
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
    fn the_number_of_threads_does_not_change_p() {
        let differences: Vec<f64> = (0..150).map(|i| f64::from(i % 7) - 2.7).collect();
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let p = one_thread.install(|| sign_flip(&differences, 11));
        assert_eq!(p, sign_flip(&differences, 11));
    }
}
