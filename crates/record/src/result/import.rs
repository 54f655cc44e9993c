//! `fiel gold import`

use std::{collections::BTreeMap, path::PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

/// Name and version of [`ImportResult`].
pub const IMPORT_SCHEMA: &str = "fiel.import/1";

/// The account of an import.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ImportResult {
    /// Name and version of this format.
    pub schema: String,
    /// Counts of documents, questions and judgements.
    pub counts: BTreeMap<String, ImportCounts>,
    /// Entries that were left out, in the order of the source.
    pub refused: Vec<LeftOut>,
    /// Document ids that cannot be file names, with their new ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
    /// Other differences from the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Entries of one kind: `read = written + merged + refused`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportCounts {
    /// In the source.
    pub read: usize,
    /// In the result.
    pub written: usize,
    /// Rows that were merged into an earlier question.
    pub merged: usize,
    /// Left out.
    pub refused: usize,
}

/// An entry of the source that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// `document`, `question` or `judgement`, and its id.
    pub what: String,
    /// Why it was left out.
    pub reason: String,
}
