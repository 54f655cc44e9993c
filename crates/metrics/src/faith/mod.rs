//! Faithfulness: the claims of an answer, and whether a context supports them by its words.

mod blocks;
mod claims;
mod clauses;
mod ground;
mod negation;
mod number;
mod sentences;
mod support;

pub use claims::{Claim, ClaimUnit, ClaimUnitError, claims};
pub use ground::{
    ClaimSupport, Grounded, GroundedClaim, faithfulness, faithfulness_of_claims, ground,
};
pub use support::{Context, SUPPORT_SHARE, Support, Verdict};

#[cfg(test)]
mod tests;
