use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{Document, Error, sha256_hex};

/// `kb.toml`: what a knowledge base says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KnowledgeBaseInfo {
    /// Shown in reports.
    pub title: String,
    /// ISO 639-1 code of its documents: `en`, `es`.
    pub lang: String,
    /// Licence of the texts.
    pub licence: String,
}

/// The documents of a folder, ordered by id.
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    /// Name of the folder.
    pub name: String,
    /// What it says of itself.
    pub info: KnowledgeBaseInfo,
    /// Its documents, ordered by id.
    pub documents: Vec<Document>,
}

impl KnowledgeBase {
    /// Reads every `.md`, `.markdown` and `.txt` file below `dir`.
    ///
    /// # Errors
    /// When the folder is missing or empty, a file is not UTF-8, or two files are one document.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        if !dir.is_dir() {
            return Err(Error::NoKnowledgeBase {
                path: dir.to_owned(),
            });
        }
        let mut files = Vec::new();
        walk(dir, &mut files)?;
        files.sort();
        let mut documents: BTreeMap<String, (PathBuf, Document)> = BTreeMap::new();
        for path in &files {
            let id = document_id(dir, path);
            if id.contains(['#', '[', ']', ',', ';']) {
                return Err(Error::BadName { path: path.clone() });
            }
            let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
            let text = String::from_utf8(bytes).map_err(|e| Error::NotUtf8 {
                path: path.clone(),
                offset: e.utf8_error().valid_up_to(),
            })?;
            let doc = match extension(path).as_str() {
                "txt" => Document::plain(&id, &text),
                _ => Document::markdown(&id, &text),
            };
            if let Some((first, _)) = documents.insert(id.clone(), (path.clone(), doc)) {
                return Err(Error::DuplicateDocument {
                    id,
                    first,
                    second: path.clone(),
                });
            }
        }
        let documents: Vec<Document> = documents.into_values().map(|(_, doc)| doc).collect();
        if documents
            .iter()
            .all(|d| d.text[d.body.clone()].trim().is_empty())
        {
            return Err(Error::EmptyKnowledgeBase {
                path: dir.to_owned(),
                files: files.len(),
            });
        }
        let name = std::fs::canonicalize(dir).map_err(|e| Error::io(dir, e))?;
        let name = name
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(Self {
            name,
            info: info(&dir.join("kb.toml"))?,
            documents,
        })
    }

    /// The document with this id.
    pub fn document(&self, id: &str) -> Option<&Document> {
        let at = self
            .documents
            .binary_search_by(|d| d.id.as_str().cmp(id))
            .ok()?;
        Some(&self.documents[at])
    }

    /// SHA-256 over the ids and texts of all documents.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for doc in &self.documents {
            all.push_str(&format!(
                "{}\t{}\n",
                doc.id,
                sha256_hex(doc.text.as_bytes())
            ));
        }
        sha256_hex(all.as_bytes())
    }
}

fn info(path: &Path) -> Result<KnowledgeBaseInfo, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).map_err(|e| Error::BadInfo {
            path: path.to_owned(),
            message: e.to_string(),
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(KnowledgeBaseInfo::default()),
        Err(e) => Err(Error::io(path, e)),
    }
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
        let entry = entry.map_err(|e| Error::io(dir, e))?;
        let path = entry.path();
        let hidden = path
            .file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        // A link to a folder may lead back here.
        let is_link = entry.file_type().is_ok_and(|t| t.is_symlink());
        if path.is_dir() {
            if !is_link {
                walk(&path, files)?;
            }
        } else if matches!(extension(&path).as_str(), "md" | "markdown" | "txt") {
            files.push(path);
        }
    }
    Ok(())
}

/// Lower case.
fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

fn document_id(dir: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(dir).unwrap_or(path).with_extension("");
    let parts: Vec<_> = relative
        .components()
        .map(|c| c.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("temporary folder");
        for (name, bytes) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("folder");
            std::fs::write(path, bytes).expect("file");
        }
        dir
    }

    #[test]
    fn documents_are_ordered_and_found_by_id() {
        let dir = folder(&[
            ("b.md", b"# B\n"),
            ("sub/a.txt", b"x"),
            ("kb.toml", b"lang = \"es\"\n"),
            ("x.png", b""),
        ]);
        let kb = KnowledgeBase::load(dir.path()).expect("loads");
        assert_eq!(
            kb.documents
                .iter()
                .map(|d| d.id.as_str())
                .collect::<Vec<_>>(),
            ["b", "sub/a"]
        );
        assert_eq!(kb.document("sub/a").map(|d| d.text.as_str()), Some("x"));
        assert_eq!(kb.info.lang, "es");
    }

    #[test]
    fn bad_folders_are_named() {
        let missing = KnowledgeBase::load(Path::new("no-such-folder")).expect_err("missing");
        assert!(
            missing
                .to_string()
                .contains("no-such-folder: no such knowledge base")
        );
        let empty = KnowledgeBase::load(folder(&[("a.md", b" \n")]).path()).expect_err("empty");
        assert!(empty.to_string().contains("1 .md or .txt files"));
        let latin = KnowledgeBase::load(folder(&[("a.md", b"caf\xe9")]).path()).expect_err("latin");
        assert!(latin.to_string().contains("byte 3 is not UTF-8"));
        let twice = KnowledgeBase::load(folder(&[("a.md", b"x"), ("a.txt", b"y")]).path())
            .expect_err("twice");
        assert!(twice.to_string().contains("both are the document `a`"));
        let info =
            KnowledgeBase::load(folder(&[("a.md", b"x"), ("kb.toml", b"langg = 1\n")]).path());
        assert!(info.expect_err("unknown key").to_string().contains("langg"));
    }
}
