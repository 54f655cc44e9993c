//! Faithfulness: the claims of an answer, and whether the words of a context support them.

mod blocks;
mod claims;
mod clauses;
mod features;
mod ground;
mod negation;
mod number;
mod split;
mod stems;
mod support;

pub use claims::{Claim, ClaimUnit, ClaimUnitError, claims};
pub use features::{BEARING_SENTENCES, ClaimFeatures, StemmedContext};
pub use ground::{
    ClaimSupport, Grounded, GroundedClaim, faithfulness, faithfulness_of_claims, ground,
    ground_claims,
};
pub use split::{SplitClaims, split_claims};
pub use stems::covering;
pub use support::{LexicalContext, SUPPORT_SHARE, Support, Verdict};

#[cfg(test)]
mod tests;
