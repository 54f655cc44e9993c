//! A row of the list of runs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, Summary};

/// A stored run as a row of `fiel runs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    /// Its id.
    pub run: String,
    /// Start in UTC; null if the run is unfinished.
    pub started: Option<String>,
    /// Gold set and selection of questions.
    pub gold: String,
    /// Number of answered questions.
    pub questions: usize,
    /// Number of planned questions; more than `questions` if the run was stopped.
    pub planned: usize,
    /// The reader, or the scored system.
    pub reader: Option<String>,
    /// Means by measure.
    pub means: BTreeMap<Column, f64>,
    /// Git commit.
    pub git: Option<String>,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// Its note.
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
