//! Intervals, paired comparison, and agreement with labels.
//!
//! Every random draw is a function of the seed and of the position it is drawn
//! for, so results do not depend on the number of threads. Intervals are 95 %.

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
pub use auroc::{Auroc, auroc};
pub use auroc_bootstrap::{ResampledAuroc, bootstrap_auroc};
pub use bootstrap::{RESAMPLES, bootstrap_mean, bootstrap_means};
pub use counting::over_representation;
pub use draws::SplitMix64;
pub use estimate::{Estimate, estimate};
pub use holm::holm;
pub use interval::{Interval, wilson};
pub use mcnemar::mcnemar;
pub use paired::{Paired, PairedTest, smallest_detectable_difference};
pub use percentile::percentile;
pub use sign_flip::sign_flip;

/// Two inputs that should have been of one length, or a number that is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// Pairs need two inputs of one length.
    #[error(
        "the first input has {first} items, the second {second}: give one pair an item, in the same order"
    )]
    Lengths {
        /// Items of the first.
        first: usize,
        /// Items of the second.
        second: usize,
    },
    /// NaN or an infinity.
    #[error(transparent)]
    NotFinite(#[from] crate::NotFinite),
}

fn same_length<A, B>(first: &[A], second: &[B]) -> Result<(), StatsError> {
    if first.len() == second.len() {
        Ok(())
    } else {
        Err(StatsError::Lengths {
            first: first.len(),
            second: second.len(),
        })
    }
}
