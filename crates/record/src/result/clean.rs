//! `fiel clean`

use schemars::JsonSchema;
use serde::Serialize;

/// A folder of generated files.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CleanedFolder {
    /// Its path.
    pub folder: String,
    /// Size of its files in bytes, before they were deleted.
    pub bytes: u64,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Whether the command deletes it if it is not a dry run.
    #[serde(skip)]
    pub chosen: bool,
}
