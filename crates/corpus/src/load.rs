//! Loaders: from files to documents, one per format.

use std::{fs, path::Path};

use fiel_store::read_text;

use crate::{Document, Error};

mod html;
mod jsonl;
mod pdf;

/// File extensions that have a loader.
const EXTENSIONS: [&str; 7] = ["md", "markdown", "txt", "html", "htm", "pdf", "jsonl"];

/// Whether a file has an extension in [`EXTENSIONS`], without regard to case.
pub(crate) fn is_known(path: &Path) -> bool {
    EXTENSIONS.contains(&extension(path).as_str())
}

/// Loads the documents of a file: one with the given id, or one per line of a JSONL file.
pub(crate) fn documents(path: &Path, id: &str) -> Result<Vec<Document>, Error> {
    let document = match extension(path).as_str() {
        "jsonl" => return jsonl::documents(path, id, &read_text(path)?),
        "pdf" => pdf::document(path, id, &fs::read(path).map_err(|e| Error::io(path, e))?)?,
        "html" | "htm" => html::document(path, id, &read_text(path)?)?,
        "txt" => Document::plain(id, &read_text(path)?),
        _ => Document::markdown(id, &read_text(path)?),
    };
    Ok(vec![document])
}

/// Whether a text can be a document id. The characters excluded have a meaning in citations.
pub(crate) fn is_id(text: &str) -> bool {
    !text.contains(['#', '[', ']', ',', ';'])
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
