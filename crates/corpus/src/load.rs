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

/// What could not be read of a knowledge base.
#[derive(Default)]
pub(crate) struct Faults {
    /// Files and lines that are left out only if the user agrees.
    pub(crate) bad: Vec<Error>,
    /// What is left out in any case, with the reason.
    pub(crate) left_out: Vec<String>,
}

impl Faults {
    pub(crate) fn leave_out(&mut self, path: &Path, reason: &str) {
        self.left_out.push(format!("{}: {reason}", path.display()));
    }
}

/// Loads the documents of a file: one with the given id, or one per line of a JSONL file.
pub(crate) fn documents(path: &Path, id: &str, faults: &mut Faults) -> Vec<Document> {
    let text = || read_text(path).map_err(Error::from);
    let bytes = || fs::read(path).map_err(|e| Error::io(path, e));
    let document = match extension(path).as_str() {
        "jsonl" => match text() {
            Ok(text) => return jsonl::documents(path, id, &text, faults),
            Err(error) => Err(error),
        },
        "pdf" => bytes().and_then(|bytes| pdf::document(path, id, &bytes, faults)),
        "html" | "htm" => bytes().and_then(|bytes| html::document(path, id, bytes)),
        "txt" => text().map(|text| Document::plain(id, &text)),
        _ => text().map(|text| Document::markdown(id, &text)),
    };
    match document {
        Ok(document) => vec![document],
        Err(error) => {
            faults.bad.push(error);
            Vec::new()
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
