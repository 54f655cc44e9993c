//! Faithfulness: the claims of an answer, and whether the words of a context support them.

mod blocks;
mod claims;
mod clauses;
mod features;
mod ground;
mod list;
mod negation;
mod number;
mod split;
mod stems;
mod support;

pub use claims::{Claim, ClaimUnit, claims};
pub(crate) use clauses::segments;
pub use features::{BEARING_SENTENCES, ClaimFeatures, StemmedContext};
pub use ground::{Grounded, GroundedClaim, ground_claims};
pub use list::listed_items;
pub(crate) use negation::is_negative;
pub use split::{SplitClaims, split_claims};
pub use stems::covering;
pub use support::{LexicalContext, SUPPORT_SHARE, Support, SupportVerdict};

#[cfg(test)]
mod tests;
