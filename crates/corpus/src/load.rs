//! Files to documents: one loader a kind of file.

use std::path::Path;

use crate::{Document, Error};

mod html;
mod jsonl;
mod markdown;
mod pdf;

/// What the name of a file that is read ends in.
const EXTENSIONS: [&str; 7] = ["md", "markdown", "txt", "html", "htm", "pdf", "jsonl"];

/// Whether a file is of a kind that is read.
pub(crate) fn is_known(path: &Path) -> bool {
    EXTENSIONS.contains(&extension(path).as_str())
}

/// The documents of a file: one with this id, or one for each line of a JSONL file.
pub(crate) fn documents(path: &Path, id: &str) -> Result<Vec<Document>, Error> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    let one = match extension(path).as_str() {
        "jsonl" => return jsonl::documents(path, id, &utf8(path, bytes)?),
        "pdf" => pdf::document(path, id, &bytes)?,
        "html" | "htm" => html::document(path, id, &utf8(path, bytes)?)?,
        "txt" => markdown::plain(id, &utf8(path, bytes)?),
        _ => markdown::document(id, &utf8(path, bytes)?),
    };
    Ok(vec![one])
}

/// Whether a text can be the id of a document: the rest has a meaning in citations.
pub(crate) fn is_id(text: &str) -> bool {
    !text.contains(['#', '[', ']', ',', ';'])
}

fn extension(path: &Path) -> String {
    path.extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase()
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|e| Error::NotUtf8 {
        path: path.to_owned(),
        offset: e.utf8_error().valid_up_to(),
    })
}
