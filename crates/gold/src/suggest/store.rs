use std::{io::Write, path::Path};

use fiel_corpus::write_atomic;

use super::Draft;
use crate::Error;

/// The drafts of a file, one a line.
///
/// # Errors
/// When the file cannot be read; naming the line that is no draft.
pub fn load_drafts(path: &Path) -> Result<Vec<Draft>, Error> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|e| Error::Input {
            path: path.to_owned(),
            message: format!("line {number} is no draft of `fiel gold suggest --drafts`: {e}"),
        })
    });
    parsed.collect()
}

/// Adds a draft at the end of a file.
///
/// # Errors
/// When it cannot be written.
pub fn append_draft(path: &Path, draft: &Draft) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    let line = line(path, draft)?;
    let file = options.create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|e| Error::io(path, e))
}

/// Replaces a file by these drafts.
///
/// # Errors
/// When it cannot be written.
pub fn write_drafts(path: &Path, drafts: &[Draft]) -> Result<(), Error> {
    let lines: Result<String, Error> = drafts.iter().map(|draft| line(path, draft)).collect();
    Ok(write_atomic(path, lines?.as_bytes())?)
}

fn line(path: &Path, draft: &Draft) -> Result<String, Error> {
    let json = serde_json::to_string(draft).map_err(|e| Error::io(path, e.into()))?;
    Ok(format!("{json}\n"))
}
