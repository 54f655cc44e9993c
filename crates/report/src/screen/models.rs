//! `fiel models`

use schemars::JsonSchema;
use serde::Serialize;

use crate::file_size;

/// A model and its state on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ModelRow {
    /// Its id.
    pub id: String,
    /// What it is for; null if the registry does not list it.
    pub task: Option<String>,
    /// Its licence.
    pub licence: String,
    /// Size of its files in bytes; null if unknown.
    pub bytes: Option<u64>,
    /// Whether its files are present and have the right hashes.
    pub check: String,
    /// Kind of the folder with its files.
    pub place: Option<String>,
    /// Path of the folder.
    pub path: Option<String>,
}

/// One line per model.
pub fn models_screen(rows: &[ModelRow]) -> String {
    let line = |row: &ModelRow| {
        let place = match (&row.place, &row.path) {
            (Some(place), Some(path)) => format!(" in {place}: {path}"),
            // The registry has neither size nor SHA-256 of its files.
            _ if row.bytes.is_none() => "; the first fetch is trusted".to_owned(),
            _ => String::new(),
        };
        format!(
            "{:<38} {:<16} {:>9} {:<11} {}{place}\n",
            row.id,
            row.task.as_deref().unwrap_or("-"),
            row.bytes.map_or_else(|| "-".to_owned(), file_size),
            row.licence,
            row.check,
        )
    };
    rows.iter().map(line).collect()
}
