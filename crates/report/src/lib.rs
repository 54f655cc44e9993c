//! What a run leaves behind: the versioned schema of its records and summary, and the renderers
//! that show them. No engine is needed to read or render a run.
//!
//! A run is a folder: `records.jsonl` has a line a question in the order of the gold set,
//! `summary.json` the measures by mode, `timings.jsonl` the times, which no comparison looks at.

mod ablation;
mod bench;
mod calibration;
mod column;
mod compare;
mod csv;
mod diagnosis;
mod diagnosis_screen;
mod differences;
mod evidence;
mod gate;
mod html;
mod junit;
mod markdown;
mod question;
mod record;
mod runs;
mod schema;
mod summary;
mod table;
mod terminal;
mod text;

pub use ablation::{
    ABLATION_SCHEMA, Ablation, AblationArm, AgainstFirst, ablation_markdown, ablation_screen,
};
pub use bench::{BENCH_SCHEMA, BenchReport, BenchRow, FailedPair, bench_screen};
pub use calibration::{
    CALIBRATION_SCHEMA, CalibratedScorer, Calibration, Disagreement, TunedThreshold,
    calibration_screen,
};
pub use column::{Column, EvalMode, headline};
pub use compare::{Arm, COMPARISON_SCHEMA, Comparison, Flip, Row, WorseSlice, comparison_screen};
pub use csv::questions_csv;
pub use diagnosis::{
    ClassCeiling, Cluster, ClusterKind, DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis, Proof,
    Repair, Rerun, RerunKind, TagClasses,
};
pub use diagnosis_screen::{diagnosis_markdown, diagnosis_screen};
pub use differences::{Difference, differences, one_line_of};
pub use evidence::Evidence;
pub use gate::{Against, Check, CheckResult, GATE_SCHEMA, GateReport, gate_screen};
pub use html::{
    ChunkTexts, PAGE_SCHEMA, PageLang, PageRun, ReportPage, UnknownPageLang, html_page,
};
pub use junit::gate_junit;
pub use markdown::gate_markdown;
pub use question::{Texts, question_screen};
pub use record::{
    ClaimRecord, Class, GuardRecord, HitRecord, LegRecord, Mark, PassageRecord, QuestionRecord,
    RECORD_SCHEMA, ReadRecord, RepeatRecord, RetrievalRecord, SplitRecord, TimingRecord,
};
pub use runs::{RunRow, runs_screen, slices_screen};
pub use schema::Written;
pub use summary::{
    Abstention, Bottleneck, Cost, CoveragePoint, DenseLoss, JudgeSummary, Latency, LatencyTarget,
    Manifest, ReaderComparison, SUMMARY_SCHEMA, SplitSummary, Spread, Summary, Target, Timing,
    Tokens,
};
pub use table::Table;
pub use terminal::{Style, retrieval_screen, screen};
pub use text::{counted, one_line};

use text::p_value;
