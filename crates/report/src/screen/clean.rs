//! `fiel clean`

use schemars::JsonSchema;
use serde::Serialize;

use crate::file_size;

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

/// One line per folder.
pub fn clean_screen(folders: &[CleanedFolder]) -> String {
    if folders.is_empty() {
        return "nothing to clean\n".to_owned();
    }
    let line = |folder: &CleanedFolder| {
        let status = match (folder.deleted, folder.chosen) {
            (true, _) => "deleted",
            (false, true) => "would be deleted",
            (false, false) => "kept; --runs deletes it",
        };
        let size = file_size(folder.bytes);
        format!("{:<20} {size:>10}  {status}\n", folder.folder)
    };
    folders.iter().map(line).collect()
}
