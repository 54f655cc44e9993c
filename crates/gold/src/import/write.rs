use std::path::{Path, PathBuf};

use fiel_store::write_atomic;

use super::report::{Imported, NewDocument};
use crate::Error;

/// Where an import goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The gold set, `gold/NAME.jsonl`.
    pub gold: PathBuf,
    /// Folder of the knowledge base; it is written when the import has documents.
    pub kb: PathBuf,
    /// ISO code of documents and questions.
    pub lang: String,
    /// Whether a gold set and a knowledge base that are there are replaced.
    pub force: bool,
}

impl Destination {
    /// # Errors
    /// When something is there already and must not be replaced.
    pub fn check(&self, writes_kb: bool) -> Result<(), Error> {
        let there = [(&self.gold, true), (&self.kb, writes_kb)];
        for (path, _) in there.iter().filter(|(p, is_written)| *is_written && p.exists()) {
            if !self.force {
                return Err(Error::Import {
                    path: path.to_path_buf(),
                    message: "it is there already; --force replaces it".into(),
                });
            }
        }
        Ok(())
    }
}

/// Writes the documents to a new folder that takes the place of the old one when it is complete,
/// then the questions. `NAME.toml`, which names the knowledge base, is written unless it is there.
///
/// # Errors
/// When nothing could be used, something is there already, or a file cannot be written.
pub fn write_import(imported: &Imported, to: &Destination) -> Result<(), Error> {
    to.check(!imported.documents.is_empty())?;
    if imported.questions.is_empty() {
        let refused = &imported.report.refused;
        let first = refused.first().map_or(String::new(), |r| {
            format!("; the first reason: line {}: {}", r.line, r.reason)
        });
        return Err(Error::Import {
            path: to.gold.clone(),
            message: format!("no question could be used, so nothing was written{first}"),
        });
    }
    if !imported.documents.is_empty() {
        write_kb(&imported.documents, to)?;
    }
    let mut lines = String::new();
    for question in &imported.questions {
        let line = serde_json::to_string(question).map_err(|e| Error::io(&to.gold, e.into()))?;
        lines.push_str(&line);
        lines.push('\n');
    }
    write_atomic(&to.gold, lines.as_bytes())?;
    let companion = to.gold.with_extension("toml");
    if !companion.exists() {
        let kb = to.kb.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("kb = \"{kb}\"\nlang = \"{}\"\n", to.lang);
        write_atomic(&companion, text.as_bytes())?;
    }
    Ok(())
}

fn write_kb(documents: &[NewDocument], to: &Destination) -> Result<(), Error> {
    let parent = to.kb.parent().filter(|p| !p.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let name = to.kb.file_name().unwrap_or_default().to_string_lossy();
    let part = parent.join(format!(".{name}.part"));
    let remove = |path: &Path| match path.exists() {
        true => std::fs::remove_dir_all(path).map_err(|e| Error::io(path, e)),
        false => Ok(()),
    };
    remove(&part)?;
    std::fs::create_dir_all(&part).map_err(|e| Error::io(&part, e))?;
    let write = |name: String, text: &str| {
        let path = part.join(name);
        std::fs::write(&path, text).map_err(|e| Error::io(&path, e))
    };
    for document in documents {
        write(format!("{}.md", document.id), &document.text)?;
    }
    let info = format!("title = \"{name}\"\nlang = \"{}\"\n", to.lang);
    write("kb.toml".into(), &info)?;
    if to.kb.exists() && !to.kb.join("kb.toml").is_file() {
        return Err(Error::Import {
            path: to.kb.clone(),
            message: "it holds no kb.toml, so it is not replaced; delete it yourself".to_owned(),
        });
    }
    remove(&to.kb)?;
    std::fs::rename(&part, &to.kb).map_err(|e| Error::io(&to.kb, e))
}
