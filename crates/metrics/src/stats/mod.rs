//! Intervals, paired comparison, and agreement with labels.
//!
//! Every random draw is a function of the seed and of its position, so results do not depend on
//! the number of threads. All intervals are two-sided 95 % intervals.

mod agreement;
mod auroc;
mod auroc_bootstrap;
mod bootstrap;
mod counting;
mod draws;
mod estimate;
mod holm;
mod interval;
mod mcnemar;
mod paired;
mod percentile;
mod sign_flip;

pub use agreement::{Agreement, agreement};
pub use auroc::auroc;
pub use auroc_bootstrap::{ResampledAuroc, bootstrap_auroc};
pub use bootstrap::{RESAMPLES, bootstrap_mean, bootstrap_means};
pub use counting::over_representation;
pub use draws::SplitMix64;
pub use estimate::{Estimate, estimate};
pub use holm::holm;
pub use interval::{Interval, wilson};
pub use mcnemar::mcnemar;
pub use paired::{Change, Paired, PairedTest, smallest_detectable_difference};
pub use percentile::percentile;
pub use sign_flip::sign_flip;

/// Inputs that cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// Paired inputs differ in length.
    #[error("paired inputs differ in length: the first has {first} items, the second {second}")]
    Lengths {
        /// Number of items in the first input.
        first: usize,
        /// Number of items in the second input.
        second: usize,
    },
    /// A value is NaN or infinite.
    #[error(transparent)]
    NotFinite(#[from] crate::NotFinite),
}

fn same_length<A, B>(first: &[A], second: &[B]) -> Result<(), StatsError> {
    if first.len() == second.len() {
        Ok(())
    } else {
        Err(StatsError::Lengths { first: first.len(), second: second.len() })
    }
}
