//! Output of the commands on the terminal.

pub(crate) mod ablation;
mod ask;
pub(crate) mod bench;
mod bless;
pub(crate) mod calibration;
mod clean;
pub(crate) mod compare;
pub(crate) mod diagnosis;
mod doctor;
mod explain;
pub(crate) mod gate;
mod guard;
mod import;
mod index;
mod lint;
mod models;
pub(crate) mod question;
pub(crate) mod run;
pub(crate) mod runs;
mod search;

pub use ask::ask_screen;
pub use bless::bless_screen;
pub use clean::clean_screen;
pub use doctor::doctor_screen;
pub use explain::{ExplainOptions, SearchedText, explain_screen};
pub use guard::guard_screen;
pub use import::import_screen;
pub use index::index_screen;
pub use lint::{finding_lines, lint_screen};
pub use models::models_screen;
pub use search::search_screen;

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
