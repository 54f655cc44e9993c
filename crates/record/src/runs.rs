//! A stored run in one row.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, Summary};

/// A run in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    /// Its id.
    pub run: String,
    /// Start, in UTC; absent in a run that was killed.
    pub started: Option<String>,
    /// Gold set, and which of its questions.
    pub gold: String,
    /// Questions answered, and those that were to be.
    pub questions: usize,
    /// More than `questions` in a run that was killed or stopped.
    pub planned: usize,
    /// The reader, or the other system that was scored.
    pub reader: Option<String>,
    /// Means by measure.
    pub means: BTreeMap<Column, f64>,
    /// Commit.
    pub git: Option<String>,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// What was written about it.
    pub note: Option<String>,
}

impl RunRow {
    /// The row of a run from its summary.
    pub fn of(summary: &Summary) -> Self {
        let manifest = &summary.manifest;
        let mut means = BTreeMap::new();
        for (&mode, measures) in &summary.measures {
            for (&measure, estimate) in measures {
                if let Some(mean) = estimate.mean.mean {
                    means.insert(Column { mode, measure }, mean);
                }
            }
        }
        let git = summary.timing.git.as_deref();
        let commit = git.map(|git| git.strip_suffix("-dirty").unwrap_or(git).to_owned());
        Self {
            run: summary.timing.run.clone(),
            started: Some(summary.timing.started.clone()),
            gold: format!("{} {}", manifest.gold, manifest.questions),
            questions: summary.answerable + summary.unanswerable,
            planned: summary.planned,
            reader: manifest.system.clone().or(manifest.reader.clone()),
            means,
            dirty: git.is_some_and(|git| git.ends_with("-dirty")),
            git: commit,
            note: summary.timing.note.clone(),
        }
    }
}
