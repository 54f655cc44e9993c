//! Loaders: from files to documents, one per format.

use std::path::Path;

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
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    let document = match extension(path).as_str() {
        "jsonl" => return jsonl::documents(path, id, &utf8(path, bytes)?),
        "pdf" => pdf::document(path, id, &bytes)?,
        "html" | "htm" => html::document(path, id, &utf8(path, bytes)?)?,
        "txt" => Document::plain(id, &utf8(path, bytes)?),
        _ => Document::markdown(id, &utf8(path, bytes)?),
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

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes)
        .map_err(|e| Error::NotUtf8 { path: path.to_owned(), offset: e.utf8_error().valid_up_to() })
}
