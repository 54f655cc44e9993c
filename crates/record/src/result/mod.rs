//! Results of the commands that store no run, as `--json` prints them.

mod ask;
mod bless;
mod clean;
mod doctor;
mod explain;
mod export;
mod guard;
mod import;
mod index;
mod lint;
mod models;
mod search;
mod suggest;

pub use ask::{AskPassage, AskResult};
pub use bless::{BaselineUpdate, MeanChange};
pub use clean::CleanedFolder;
pub use doctor::DoctorCheck;
pub use explain::{ExplainedChunk, ExplainedTerm};
pub use export::{ExportResult, ReportFile};
pub use guard::GuardResult;
pub use import::{IMPORT_SCHEMA, ImportCounts, ImportResult, LeftOut};
pub use index::IndexResult;
pub use lint::{LINT_SCHEMA, LintFinding, LintLevel, LintResult};
pub use models::ModelRow;
pub use search::SearchHit;
pub use suggest::{ReviewResult, SuggestResult};
