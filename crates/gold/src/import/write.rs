//! Writes an import to disk.

use std::path::{Path, PathBuf};

use fiel_store::write_atomic;

use super::imported::{Imported, NewDocument};
use crate::{Error, error::to_json_lines};

/// Where an import is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The gold set, `gold/NAME.jsonl`.
    pub gold: PathBuf,
    /// Folder of the knowledge base; written if the import has documents.
    pub kb: PathBuf,
    /// ISO code of the language of documents and questions.
    pub lang: String,
    /// Whether to replace an existing gold set and knowledge base.
    pub force: bool,
}

impl Destination {
    /// Checks that nothing is replaced without `force`.
    ///
    /// # Errors
    /// [`Error::Exists`] if the gold set exists or, if `writes_kb`, the knowledge base.
    pub fn check(&self, writes_kb: bool) -> Result<(), Error> {
        let mut written = [&self.gold, &self.kb].into_iter().take(1 + usize::from(writes_kb));
        match written.find(|path| !self.force && path.exists()) {
            Some(path) => Err(Error::Exists { path: path.clone() }),
            None => Ok(()),
        }
    }
}

/// Writes the documents to a new folder, which replaces the old one when it is complete, then the
/// questions. Writes `NAME.toml`, which names the knowledge base, if it does not exist.
///
/// # Errors
/// [`Error::NothingImported`] without a question, [`Error::NotAKnowledgeBase`] if the folder to
/// replace is not one; as [`Destination::check`]; [`Error::Store`] if a file cannot be written.
pub fn write_import(imported: &Imported, to: &Destination) -> Result<(), Error> {
    to.check(!imported.documents.is_empty())?;
    if imported.questions.is_empty() {
        let first = imported.result.refused.first().cloned();
        return Err(Error::NothingImported { path: to.gold.clone(), first });
    }
    if !imported.documents.is_empty() {
        write_kb(&imported.documents, to)?;
    }
    write_atomic(&to.gold, to_json_lines(&to.gold, &imported.questions)?.as_bytes())?;
    let companion = to.gold.with_extension("toml");
    if !companion.exists() {
        let kb = to.kb.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("kb = \"{kb}\"\nlang = \"{}\"\n", to.lang);
        write_atomic(&companion, text.as_bytes())?;
    }
    Ok(())
}

fn write_kb(documents: &[NewDocument], to: &Destination) -> Result<(), Error> {
    let name = to.kb.file_name().unwrap_or_default().to_string_lossy();
    let part = to.kb.with_file_name(format!(".{name}.part"));
    remove(&part)?;
    std::fs::create_dir_all(&part).map_err(|e| Error::io(&part, e))?;
    let write = |name: &str, text: &str| {
        let path = part.join(name);
        std::fs::write(&path, text).map_err(|e| Error::io(&path, e))
    };
    for document in documents {
        write(&format!("{}.md", document.id), &document.text)?;
    }
    write("kb.toml", &format!("title = \"{name}\"\nlang = \"{}\"\n", to.lang))?;
    if to.kb.exists() && !to.kb.join("kb.toml").is_file() {
        return Err(Error::NotAKnowledgeBase { path: to.kb.clone() });
    }
    remove(&to.kb)?;
    std::fs::rename(&part, &to.kb).map_err(|e| Error::io(&to.kb, e))
}

fn remove(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, e)),
        _ => Ok(()),
    }
}
