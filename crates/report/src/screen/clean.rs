//! `fiel clean`

use fiel_record::CleanedFolder;

use crate::file_size;

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
