//! Files of drafts.

use std::{fs::OpenOptions, io::Write, path::Path, slice};

use fiel_store::{read_json_lines, write_atomic};

use super::Draft;
use crate::{Error, error::to_json_lines};

/// The drafts of a file, one per line.
///
/// # Errors
/// [`Error::Draft`] with the first line that is not a draft; [`Error::Store`] if the file cannot be
/// read.
pub fn load_drafts(path: &Path) -> Result<Vec<Draft>, Error> {
    let drafts = read_json_lines(path)?.into_iter().map(|(line, draft)| {
        draft.map_err(|source| Error::Draft { path: path.to_owned(), line, source })
    });
    drafts.collect()
}

/// Appends a draft to a file.
///
/// # Errors
/// [`Error::Store`] if the file cannot be written.
pub fn append_draft(path: &Path, draft: &Draft) -> Result<(), Error> {
    let line = to_json_lines(path, slice::from_ref(draft))?;
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|e| Error::io(path, e))
}

/// Replaces the contents of a file by these drafts.
///
/// # Errors
/// [`Error::Store`] if the file cannot be written.
pub fn write_drafts(path: &Path, drafts: &[Draft]) -> Result<(), Error> {
    Ok(write_atomic(path, to_json_lines(path, drafts)?.as_bytes())?)
}
