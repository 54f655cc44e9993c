//! Evaluation: gold sets, the runner, failure classes and the folders of runs.
//!
//! [`Gold::load`] reads the questions and their targets, [`Gold::resolve`] anchors their evidence
//! in the documents, and [`evaluate`] measures retrieval, the reader on the evidence alone, and
//! both together, one record a question.

mod attribute;
mod cluster;
mod diagnose;
mod draft;
mod error;
mod guard;
mod host;
mod judge;
mod manifest;
mod passage_index;
mod reading;
mod rerun;
mod retrieval;
mod runner;
mod score;
mod settings;

pub use diagnose::{Diagnosing, DiagnosisEvent, can_diagnose, diagnose, other_legs};
pub use draft::{Drafter, check_draft};
pub use error::Error;
pub use guard::{Calibrated, GuardCase, calibrate_guard, guard_cases};
pub use judge::{
    BenchPlan, ClaimCut, ClaimScore, GroundedFeatures, GroundedScorer, JudgeMethod, JudgeSettings,
    Judging, Label, LabelledClaim, LabelledFile, LabelledFormat, Scorer, ScorerKind, Unlabelled,
    append_label, bench, calibrate, labels_path, load_labels, self_test, uncalibrated, unlabelled,
};
pub use passage_index::index_passages;
pub use runner::{EvalEvent, Finished, Plan, evaluate};
pub use score::{
    ScorePlan, ScoredSystem, SystemAnswer, SystemOutput, TrecPlan, TrecScored, score_answers,
    score_trec,
};
pub use settings::EvalSettings;
