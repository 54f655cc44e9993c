//! The versioned schema of the results of an evaluation.
//!
//! A run is a folder: `records.jsonl` has one line per question in the order of the gold set,
//! `summary.json` the measures by mode, and `timings.jsonl` the times, which no comparison reads.
//! This crate holds the types of these files and of everything that `--json` prints; it neither
//! computes with engines nor renders.
//!
//! ```
//! use fiel_record::{Column, EvalMode};
//!
//! let column: Column = "e2e.F1".parse()?;
//! assert_eq!(column.mode, EvalMode::E2e);
//! assert_eq!(column.to_string(), "e2e.F1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ablation;
mod bench;
mod calibration;
mod column;
mod comparison;
mod diagnosis;
mod differences;
mod evidence;
mod gate;
mod guard;
mod record;
mod result;
mod runs;
mod schema;
mod split;
mod summary;
mod table;
mod text;

pub use ablation::{ABLATION_SCHEMA, Ablation, AblationArm, AgainstFirst};
pub use bench::{BENCH_SCHEMA, BenchReport, BenchRow, FailedPair};
pub use calibration::{
    CALIBRATION_SCHEMA, CalibratedScorer, Calibration, Disagreement, TunedThreshold,
};
pub use column::{
    Column, ColumnError, DEEP_FROM, DEEP_MEASURES, EvalMode, RANKING_MEASURES, headline,
};
pub use comparison::{
    COMPARISON_SCHEMA, ComparedMeasure, ComparedRun, Comparison, Flip, WorseSlice,
};
pub use diagnosis::{
    ClassCeiling, Cluster, ClusterKind, DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis, Proof,
    Repair, Rerun, RerunKind, TagClasses,
};
pub use differences::{Difference, differences, one_line_of};
pub use evidence::Evidence;
pub use gate::{CheckResult, GATE_SCHEMA, GateCheck, GateReference, GateReport};
pub use guard::{GuardScore, GuardSettings};
pub use record::{
    ClaimRecord, ClaimSplitRecord, Class, GuardRecord, HitRecord, LegRecord, Mark, PassageRecord,
    QuestionRecord, RECORD_SCHEMA, ReadRecord, RepeatRecord, RetrievalRecord, TimingRecord,
};
pub use result::*;
pub use runs::RunRow;
pub use schema::{UnknownSchema, Written};
pub use split::Split;
pub use summary::{
    Abstention, Bottleneck, ClaimSplitSummary, Cost, CoveragePoint, DenseLoss, JudgeSummary,
    Latency, LatencyTarget, Manifest, ReaderComparison, SUMMARY_SCHEMA, Spread, Summary, Target,
    Timing, Tokens,
};
pub use table::{Table, TableError, csv_cell};
pub use text::{counted, one_line};
