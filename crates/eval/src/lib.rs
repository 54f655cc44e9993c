//! Evaluation: the runner, the judge, scores for the output of other systems, and the diagnosis of
//! wrong answers.
//!
//! [`evaluate`] measures retrieval, the reader on the evidence alone (oracle context), and both
//! together, and stores the run. [`Judging`] decides which claims of an answer the passages support.
//! [`score_answers`] and [`score_trec`] measure other systems in the same way. [`diagnose`] reads
//! wrong answers again from other contexts to find their cause. Gold sets are in `fiel-gold`, stored
//! runs in `fiel-runs`.
//!
//! ```no_run
//! use std::{path::Path, sync::atomic::AtomicBool, time::Instant};
//!
//! use fiel_corpus::KnowledgeBase;
//! use fiel_eval::{EvalSettings, JudgeSettings, Judging, Plan, evaluate};
//! use fiel_gold::{Gold, Selection};
//! use fiel_models::{ModelStore, ModelStoreOptions};
//! use fiel_reader::{Observer, PipelineBuilder, PipelineSettings};
//! use fiel_runs::PriceSettings;
//!
//! let kb = KnowledgeBase::load(Path::new("kb/verbs"))?;
//! let gold = Gold::load(Path::new("gold/verbs.jsonl"))?.resolve(&kb)?;
//! let store = ModelStore::new(ModelStoreOptions::from_env())?;
//! let mut builder = PipelineBuilder::new(store, Path::new(".fiel"));
//! let settings = PipelineSettings::default();
//! let pipeline = builder.build(&kb, &settings, true, &mut Observer::default())?;
//! let plan = Plan {
//!     kb: &kb,
//!     gold: &gold,
//!     selection: &Selection::default(),
//!     settings: &EvalSettings::default(),
//!     judge: &JudgeSettings::default(),
//!     prices: &PriceSettings::default(),
//!     resume: None,
//!     note: None,
//!     is_variant: false,
//!     runs: Path::new(".fiel/runs"),
//!     stop: &AtomicBool::new(false),
//!     started: Instant::now(),
//! };
//! let unit = plan.settings.claim_unit;
//! let mut judging = Judging::load(plan.judge, unit, &settings, builder.models())?;
//! let finished = evaluate(&plan, &pipeline, &mut judging, &mut |_| {})?;
//! println!("{} questions: {}", finished.records.len(), finished.folder.display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diagnose;
mod draft;
mod error;
mod few_shot;
mod guard;
mod host;
mod judge;
mod lines;
mod manifest;
mod passage_index;
mod reading;
mod retrieval;
mod runner;
mod score;
mod settings;

pub use diagnose::{Diagnosing, DiagnosisEvent, can_diagnose, diagnose, other_legs};
pub use draft::{Drafter, check_draft};
pub use error::{DiagnosisObstacle, Error};
pub use guard::{Calibrated, GuardCase, calibrate_guard, guard_cases};
pub use judge::{
    BenchPlan, ClaimCut, ClaimScore, GroundedFeatures, GroundedScorer, JudgeMethod, JudgeSettings,
    Judging, Label, LabelledClaim, LabelledFile, LabelledFormat, Scorer, ScorerKind, UnknownScorer,
    Unlabelled, append_label, bench, calibrate, labels_path, load_labels, self_test, unlabelled,
};
pub use passage_index::index_passages;
pub use runner::{EvalEvent, Finished, Plan, evaluate};
pub use score::{
    ScorePlan, ScoredSystem, SystemAnswer, SystemContext, SystemOutput, TrecPlan, TrecScored,
    score_answers, score_trec,
};
pub use settings::EvalSettings;
