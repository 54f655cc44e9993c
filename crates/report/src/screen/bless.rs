//! `fiel bless`

use std::{fmt::Write, path::PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::Column;

/// The difference between a new baseline and the one it replaces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BaselineUpdate {
    /// The file.
    pub path: PathBuf,
    /// Run of the new baseline.
    pub run: String,
    /// Run of the old baseline; null if there was none.
    pub before: Option<String>,
    /// Number of questions in the new baseline.
    pub questions: usize,
    /// Ids of the questions that only the new baseline has.
    pub added: Vec<String>,
    /// Ids of the questions that only the old baseline has.
    pub removed: Vec<String>,
    /// Means that differ.
    pub means: Vec<MeanChange>,
    /// Ids of the questions with a value that differs.
    pub changed: Vec<String>,
}

/// A measure with its old and new mean; null where a baseline lacks the measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanChange(pub Column, pub Option<f64>, pub Option<f64>);

/// What `fiel bless` changed: means first, then ids of questions.
pub fn bless_screen(update: &BaselineUpdate) -> String {
    let (path, run, questions) = (update.path.display(), &update.run, update.questions);
    let Some(before) = &update.before else {
        return format!("{path}: {questions} questions of run {run}\n");
    };
    let mut out = format!("{path}: run {before} → {run}, {questions} questions\n");
    let mean = |mean: Option<f64>| mean.map_or("none".to_owned(), |mean| format!("{mean:.3}"));
    for MeanChange(column, old, new) in &update.means {
        let _ = writeln!(out, "  {column}: {} → {}", mean(*old), mean(*new));
    }
    let ids = [
        ("added", &update.added),
        ("removed", &update.removed),
        ("changed", &update.changed),
    ];
    for (what, ids) in ids {
        if !ids.is_empty() {
            let _ = writeln!(out, "  {} {what}: {}", ids.len(), ids.join(", "));
        }
    }
    if update.means.is_empty() && ids.iter().all(|(_, ids)| ids.is_empty()) {
        out.push_str("  no value changed\n");
    }
    out
}
