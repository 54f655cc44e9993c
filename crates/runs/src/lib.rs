//! Stored runs: their folders, resuming, comparison, baseline and gate, ablation tables and export.
//!
//! A run is a folder below `.fiel/runs`; everything here reads records and summaries and needs no
//! engine.

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
pub use baseline::{Baseline, Blessing, baseline_path, bless};
pub use compare::{CompareOptions, StoredRun, compare, compare_baseline};
pub use diagnosis::with_diagnosis;
pub use error::Error;
pub use export::{TrecFiles, trec_files};
pub use gate::gate;
pub use price::{PriceError, PriceSettings};
pub use resume::{FinishedRecords, RunWriter, Unfinished, to_resume, unfinished_runs};
pub use run::{RunFolder, Started, list_runs};
pub use summarize::{SummaryInput, latencies, latency_targets, summarize};
