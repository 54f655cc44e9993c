//! Results of the commands that read no run: what `--json` prints, and the screen for it.

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

pub use ask::{AskPassage, AskResult, ask_screen};
pub use bless::{BaselineUpdate, MeanChange, bless_screen};
pub use clean::{CleanedFolder, clean_screen};
pub use doctor::{DoctorCheck, doctor_screen};
pub use explain::{ExplainOptions, ExplainedChunk, ExplainedTerm, SearchedText, explain_screen};
pub use export::{ExportResult, ReportFile};
pub use guard::{GuardResult, guard_screen};
pub use import::{ImportCounts, ImportResult, LeftOut, import_screen};
pub use index::{IndexResult, index_screen};
pub use lint::{LintFinding, LintLevel, LintResult, finding_lines, lint_screen};
pub use models::{ModelRow, models_screen};
pub use search::{SearchHit, search_screen};
pub use suggest::{ReviewResult, SuggestResult};

/// A size in decimal units: `999 B`, `1.2 kB`, `1.12 GB`.
pub fn file_size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded() {
        assert_eq!(file_size(999), "999 B");
        assert_eq!(file_size(1_117_320_768), "1.12 GB");
    }
}
