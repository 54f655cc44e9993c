//! `fiel models`

use schemars::JsonSchema;
use serde::Serialize;

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
