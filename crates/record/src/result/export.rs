//! `fiel export` and `fiel report`

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The files that `fiel export` wrote.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExportResult {
    /// Id of the run.
    pub run: String,
    /// Paths of the files.
    pub files: Vec<String>,
    /// Ids of the questions with several pieces of evidence in one chunk, whose measures trec_eval
    /// cannot reproduce.
    pub sharing_ranks: Vec<String>,
}

/// The file that `fiel report` wrote.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReportFile {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub bytes: usize,
}
