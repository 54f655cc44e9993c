//! Renderers of what an evaluation leaves behind: terminal, Markdown, JUnit and a self-contained
//! HTML page. The types are those of `fiel-record`; no engine is needed to render a run.

mod csv;
mod html;
mod junit;
mod markdown;
mod question;
mod screen;
mod terminal;
mod text;

pub use csv::questions_csv;
pub use html::{
    ChunkTexts, PAGE_SCHEMA, PageLang, PageRun, ReportPage, UnknownPageLang, html_page,
};
pub use junit::gate_junit;
pub use markdown::gate_markdown;
pub use question::{Texts, question_screen};
pub use screen::ablation::{ablation_markdown, ablation_screen};
pub use screen::bench::bench_screen;
pub use screen::calibration::calibration_screen;
pub use screen::compare::comparison_screen;
pub use screen::diagnosis::{diagnosis_markdown, diagnosis_screen};
pub use screen::gate::gate_screen;
pub use screen::runs::{runs_screen, slices_screen};
pub use screen::{
    ExplainOptions, SearchedText, ask_screen, bless_screen, clean_screen, doctor_screen,
    explain_screen, file_size, finding_lines, guard_screen, import_screen, index_screen,
    lint_screen, models_screen, search_screen,
};
pub use terminal::{Style, retrieval_screen, screen};

use text::p_value;
