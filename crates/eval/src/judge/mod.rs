//! Judging of answers: scorers of claims, judged qualities, and the agreement of scorers with people.

mod bench;
mod calibrate;
mod cutter;
mod grounded;
mod judging;
mod labelled;
mod labels;
mod llm;
mod maxsim;
mod prompt;
mod scorer;
mod self_test;
mod settings;
mod toxic;

pub use bench::{BenchPlan, bench};
pub use calibrate::calibrate;
pub use cutter::ClaimCut;
pub(crate) use cutter::Cutter;
pub use grounded::{GroundedFeatures, GroundedScorer};
pub use judging::Judging;
pub use labelled::{LabelledClaim, LabelledFile, LabelledFormat};
pub use labels::{Label, Unlabelled, append_label, labels_path, load_labels, unlabelled};
pub(crate) use llm::Judge;
pub(crate) use prompt::JudgeQuestion;
pub use scorer::{ClaimScore, Scorer, ScorerKind, UnknownScorer};
pub use self_test::self_test;
pub use settings::{JudgeMethod, JudgeSettings};
