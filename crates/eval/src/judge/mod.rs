//! Whether a context supports a claim: three scorers side by side, and whether they can be
//! believed.

mod bench;
mod grounded;
mod judging;
mod labelled;
mod maxsim;
mod scorer;
mod self_test;
mod settings;

pub use bench::{BenchPlan, bench};
pub use grounded::{GroundedFeatures, GroundedScorer};
pub use judging::Judging;
pub use labelled::{LabelledClaim, LabelledFile, LabelledFormat};
pub use scorer::{ClaimScore, Scorer, ScorerKind};
pub(crate) use self_test::SELF_TEST_PAIRS;
pub use self_test::self_test;
pub use settings::{JudgeMethod, JudgeSettings};
