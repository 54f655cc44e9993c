use std::{io::Write, path::Path};

use fiel_store::{read_json_lines, write_atomic};

use super::Draft;
use crate::Error;

/// The drafts of a file, one per line.
///
/// # Errors
/// [`Error::Input`] with the first line that is not a draft; [`Error::Store`] if the file cannot be
/// read.
pub fn load_drafts(path: &Path) -> Result<Vec<Draft>, Error> {
    let drafts = read_json_lines(path)?.into_iter().map(|(line, draft)| {
        draft.map_err(|e| Error::Input {
            path: path.to_owned(),
            message: format!("line {line} is not a draft of `fiel gold suggest --drafts`: {e}"),
        })
    });
    drafts.collect()
}

/// Appends a draft to a file.
///
/// # Errors
/// [`Error::Io`] if the file cannot be written.
pub fn append_draft(path: &Path, draft: &Draft) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    let line = line(path, draft)?;
    let file = options.create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|e| Error::io(path, e))
}

/// Replaces the contents of a file by these drafts.
///
/// # Errors
/// [`Error::Store`] if the file cannot be written.
pub fn write_drafts(path: &Path, drafts: &[Draft]) -> Result<(), Error> {
    let lines: Result<String, Error> = drafts.iter().map(|draft| line(path, draft)).collect();
    Ok(write_atomic(path, lines?.as_bytes())?)
}

fn line(path: &Path, draft: &Draft) -> Result<String, Error> {
    let json = serde_json::to_string(draft).map_err(|e| Error::io(path, e.into()))?;
    Ok(format!("{json}\n"))
}
