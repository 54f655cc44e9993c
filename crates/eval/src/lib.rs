//! Evaluation: gold sets, the runner, failure classes and the folders of runs.
//!
//! [`Gold::load`] reads the questions and their targets, [`Gold::resolve`] anchors their evidence
//! in the documents, and [`evaluate`] measures retrieval, the reader on the evidence alone, and
//! both together, one record a question.

mod ablate;
mod attribute;
mod author;
mod baseline;
mod cluster;
mod compare;
mod diagnose;
mod draft;
mod error;
mod export;
mod gate;
mod gold;
mod guard;
mod host;
mod ids;
mod import;
mod judge;
mod lint;
mod manifest;
mod reading;
mod rerun;
mod resolve;
mod resume;
mod retrieval;
mod run;
mod runner;
mod score;
mod settings;
mod suggest;
mod summarize;

pub use ablate::{ablation, ablation_columns};
pub use author::Author;
pub use baseline::{Baseline, Blessing, baseline_path, bless};
pub use compare::{CompareOptions, StoredRun, compare, compare_baseline};
pub use diagnose::{
    Diagnosing, DiagnosisEvent, can_diagnose, diagnose, other_legs, with_diagnosis,
};
pub use draft::Drafter;
pub use error::{Error, GoldFault};
pub use export::{TrecFiles, trec_files};
pub use fiel_report::EvalMode;
pub use gate::gate;
pub use gold::{Evidence, Gold, Question, Split};
pub use guard::{Calibrated, GuardCase, calibrate_guard, guard_cases};
pub use import::{
    BeirFolder, ChunkPlaces, Counts, Destination, IMPORT_SCHEMA, ImportReport, Imported,
    NewDocument, Refused, Rows, import_beir, import_clapnq, import_squad, import_trec,
    write_import,
};
pub use judge::{
    BenchPlan, ClaimCut, ClaimScore, GroundedFeatures, GroundedScorer, JudgeMethod, JudgeSettings,
    Judging, Label, LabelledClaim, LabelledFile, LabelledFormat, Scorer, ScorerKind, Unlabelled,
    append_label, bench, calibrate, labels_path, load_labels, self_test, uncalibrated, unlabelled,
};
pub use lint::{Code, Finding, LINT_SCHEMA, Level, LintReport, lint};
pub use resolve::{ResolvedGold, ResolvedQuestion};
pub use resume::{Unfinished, unfinished_runs};
pub use run::{RunFolder, Started, list_runs};
pub use runner::{Event, Finished, Plan, evaluate};
pub use score::{
    Row, ScorePlan, Scored, SystemOutput, TrecPlan, TrecScored, score_answers, score_trec,
};
pub use settings::{EvalSettings, PriceSettings, Selection};
pub use suggest::{
    Check, DRAFTED, Draft, DraftStyle, DraftTask, DropReason, Suggester, append_draft, check_draft,
    load_drafts, write_drafts,
};
