//! Renderers of the results of an evaluation: terminal, Markdown, CSV, JUnit and a self-contained
//! HTML page. The input types are in `fiel-record`; no engine is needed.
//!
//! ```
//! use fiel_record::{GATE_SCHEMA, GateReport};
//! use fiel_report::{Style, gate_markdown, gate_screen};
//!
//! let gate = GateReport {
//!     schema: GATE_SCHEMA.to_owned(),
//!     run: "20260101-120000-01234567".to_owned(),
//!     gold: "verbs".to_owned(),
//!     baseline: None,
//!     passed: true,
//!     questions: 86,
//!     of: None,
//!     selection: "test".to_owned(),
//!     lacking: 0,
//!     checks: Vec::new(),
//!     notes: Vec::new(),
//! };
//! let screen = gate_screen(&gate, Style { color: false, width: 80 });
//! assert!(screen.ends_with("-01234567 on verbs, 86 questions (test)\n"));
//! assert!(gate_markdown(&gate).starts_with("## Fiel gate passed: verbs\n"));
//! ```

mod csv;
mod html;
mod junit;
mod markdown;
mod screen;
mod terminal;
mod text;

pub use csv::questions_csv;
pub use html::{ChunkTexts, PAGE_SCHEMA, PageLang, PageRun, ReportPage, html_page};
pub use junit::gate_junit;
pub use markdown::gate_markdown;
pub use screen::ablation::{ablation_markdown, ablation_screen};
pub use screen::bench::bench_screen;
pub use screen::calibration::calibration_screen;
pub use screen::compare::comparison_screen;
pub use screen::diagnosis::{diagnosis_markdown, diagnosis_screen};
pub use screen::gate::gate_screen;
pub use screen::question::{Texts, question_screen};
pub use screen::run::{retrieval_screen, screen};
pub use screen::runs::{runs_screen, slices_screen};
pub use screen::{
    ExplainOptions, SearchedText, ask_screen, bless_screen, clean_screen, doctor_screen,
    explain_screen, file_size, finding_lines, guard_screen, import_screen, index_screen,
    lint_screen, models_screen, search_screen,
};
pub use terminal::{Style, for_terminal, json_for_terminal};

use text::{column_title, mean_text, p_value};
