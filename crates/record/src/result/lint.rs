//! `fiel gold lint`

use std::{collections::BTreeMap, fmt, path::PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

/// Name and version of [`LintResult`].
pub const LINT_SCHEMA: &str = "fiel.lint/1";

/// What makes a gold set misleading.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LintResult {
    /// Name and version of this format.
    pub schema: String,
    /// The gold set.
    pub path: PathBuf,
    /// Name of the knowledge base.
    pub kb: String,
    /// Number of questions that could be read.
    pub questions: usize,
    /// Number of unanswerable ones.
    pub unanswerable: usize,
    /// Mean share of a question's content words that its evidence contains; null without quotes.
    pub overlap: Option<f64>,
    /// Findings by line, level and code; those about the whole set last.
    pub findings: Vec<LintFinding>,
    /// Findings that `[lint.accept]` of the companion file accepts.
    pub accepted: Vec<LintFinding>,
}

impl LintResult {
    /// Number of findings of a level.
    pub fn count(&self, level: LintLevel) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// Whether all findings are notes.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.level == LintLevel::Note)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LintFinding {
    /// Its code, like `G201`.
    pub code: String,
    /// Its level.
    pub level: LintLevel,
    /// Line in the gold set; null for the set as a whole.
    pub line: Option<usize>,
    /// Id of the question.
    pub question: Option<String>,
    /// What was found.
    pub message: String,
    /// Figures by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
    /// What to do.
    pub remedy: String,
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// The question cannot be used.
    Error,
    /// The question is probably misleading.
    Warning,
    /// Worth knowing; never fails a check.
    Note,
}

impl fmt::Display for LintLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}
