//! Stored runs: their folders, resuming, comparison, baseline and gate, ablation tables and export.
//!
//! A run is a folder below `.fiel/runs`. This crate reads records and summaries only; it needs no
//! engine.
//!
//! ```
//! use fiel_runs::{RunFolder, list_runs};
//!
//! let dir = tempfile::tempdir()?;
//! let run = RunFolder::create(dir.path(), "20260101-120000", "0123456789abcdef")?;
//! assert_eq!(run.id, "20260101-120000-01234567");
//! // Without a summary, the run is unfinished.
//! assert!(list_runs(dir.path())?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ablation;
mod baseline;
mod compare;
mod diagnosis;
mod error;
mod export;
mod gate;
mod price;
mod resume;
mod run;
mod summarize;

pub use ablation::{ablation, ablation_columns};
pub use baseline::{Baseline, baseline_path, bless};
pub use compare::{CompareOptions, StoredRun, compare, compare_baseline};
pub use diagnosis::apply_diagnosis;
pub use error::Error;
pub use export::{TrecFiles, trec_files};
pub use gate::{GateOptions, gate};
pub use price::{PriceError, PriceSettings};
pub use resume::{FinishedRecords, RunWriter, Unfinished, to_resume, unfinished_runs};
pub use run::{RunFolder, Started, list_runs};
pub use summarize::{SummaryInput, latencies, latency_targets, summarize};
