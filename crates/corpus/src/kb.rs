//! A knowledge base: the documents of a folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use fiel_store::{read_optional_text, sha256_hex};
use fiel_text::{Lang, id::DocId};
use serde::{Deserialize, Deserializer};

use crate::{Document, Error, load};

/// `kb.toml`: the description of a knowledge base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KnowledgeBaseInfo {
    /// Title, for readers of the file. Fiel does not use it.
    pub title: String,
    /// Language of its documents, as an ISO 639 code: `en`, `es`. English if it is empty or missing.
    #[serde(deserialize_with = "lang")]
    pub lang: Lang,
    /// Licence of the texts, for readers of the file. Fiel does not use it.
    pub licence: String,
}

/// The documents of a folder, ordered by id.
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    /// Name of the folder.
    pub name: String,
    /// Its description.
    pub info: KnowledgeBaseInfo,
    /// Its documents, ordered by id.
    pub documents: Vec<Document>,
}

impl KnowledgeBase {
    /// Reads every file below `dir` that contains documents: Markdown (`.md`, `.markdown`), plain
    /// text (`.txt`), HTML (`.html`, `.htm`), PDF with a text layer (`.pdf`), and JSON lines
    /// (`.jsonl`: `_id` or `id`, `title`, `text` or `contents`), each line a document with the id
    /// `file/id`.
    ///
    /// # Errors
    /// When the folder is missing or empty, a file or a line of one cannot be read, `kb.toml` is not
    /// valid, or two documents have the same id.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        if !dir.is_dir() {
            return Err(Error::NoKnowledgeBase { path: dir.to_owned() });
        }
        let mut files = Vec::new();
        walk(dir, &mut files)?;
        files.sort();
        let mut documents: BTreeMap<DocId, (PathBuf, Document)> = BTreeMap::new();
        for path in &files {
            let id = document_id(dir, path);
            if !load::is_id(&id) {
                let problem =
                    "file names must not contain `#`, `[`, `]`, `,` or `;`. Rename the file";
                return Err(Error::Unreadable { path: path.clone(), problem: problem.to_owned() });
            }
            for doc in load::documents(path, &id)? {
                let id = doc.id.clone();
                if let Some((first, doc)) = documents.insert(id, (path.clone(), doc)) {
                    return Err(Error::DuplicateDocument {
                        id: doc.id.into(),
                        first,
                        second: path.clone(),
                    });
                }
            }
        }
        let documents: Vec<Document> = documents.into_values().map(|(_, doc)| doc).collect();
        if documents.iter().all(|d| d.text[d.body.clone()].trim().is_empty()) {
            return Err(Error::EmptyKnowledgeBase { path: dir.to_owned(), files: files.len() });
        }
        let name = std::fs::canonicalize(dir).map_err(|e| Error::io(dir, e))?;
        let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, info: info(&dir.join("kb.toml"))?, documents })
    }

    /// The document with this id.
    pub fn document(&self, id: &str) -> Option<&Document> {
        let index = self.documents.binary_search_by(|d| d.id.as_str().cmp(id)).ok()?;
        self.documents.get(index)
    }

    /// SHA-256 over the ids, the texts, and the titles that are not in them, of all documents.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for doc in &self.documents {
            all += &format!("{}\t{}", doc.id, sha256_hex(doc.text.as_bytes()));
            let reloaded = if doc.is_markdown { Document::markdown } else { Document::plain };
            if doc.title != reloaded(&doc.id, &doc.text).title {
                all += &format!("\t{}", sha256_hex(doc.title.as_bytes()));
            }
            all.push('\n');
        }
        sha256_hex(all.as_bytes())
    }
}

fn info(path: &Path) -> Result<KnowledgeBaseInfo, Error> {
    let text = read_optional_text(path)?.unwrap_or_default();
    toml::from_str(&text)
        .map_err(|e| Error::Unreadable { path: path.to_owned(), problem: e.to_string() })
}

/// A language code; an empty one means English.
fn lang<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Lang, D::Error> {
    let code = String::deserialize(deserializer)?;
    if code.trim().is_empty() {
        return Ok(Lang::default());
    }
    code.parse().map_err(serde::de::Error::custom)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
        let entry = entry.map_err(|e| Error::io(dir, e))?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let path = entry.path();
        // A link to a folder may lead back here.
        let is_link = entry.file_type().is_ok_and(|t| t.is_symlink());
        if path.is_dir() {
            if !is_link {
                walk(&path, files)?;
            }
        } else if load::is_known(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn document_id(dir: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(dir).unwrap_or(path).with_extension("");
    let parts: Vec<_> = relative.components().map(|c| c.as_os_str().to_string_lossy()).collect();
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
        assert_eq!(kb.documents.iter().map(|d| d.id.as_str()).collect::<Vec<_>>(), ["b", "sub/a"]);
        assert_eq!(kb.document("sub/a").map(|d| d.text.as_str()), Some("x"));
        assert_eq!(kb.info.lang, Lang::Es);
    }

    #[test]
    fn the_digest_covers_a_title_that_is_not_in_the_text() {
        let digest = |files: &[(&str, &[u8])]| {
            let kb = KnowledgeBase::load(folder(files).path()).expect("loads");
            kb.digest()
        };
        let digest_of_row = |title: &str| {
            let row = format!("{{\"_id\": \"1\", \"title\": \"{title}\", \"text\": \"x\"}}");
            digest(&[("a.jsonl", row.as_bytes())])
        };
        assert_ne!(digest_of_row("T"), digest_of_row("U"));
        let page =
            |title: &str| digest(&[("a.html", format!("<title>{title}</title>x").as_bytes())]);
        assert_ne!(page("T"), page("U"));
        // A title in the text does not enter the digest again.
        assert_eq!(
            digest(&[("a.md", b"# *A*\n")]),
            sha256_hex(format!("a\t{}\n", sha256_hex(b"# *A*\n")).as_bytes())
        );
    }

    #[test]
    fn the_language_is_a_code_and_english_by_default() {
        let load = |info: &str| {
            let dir = folder(&[("a.md", b"x"), ("kb.toml", info.as_bytes())]);
            KnowledgeBase::load(dir.path()).map(|kb| kb.info.lang).map_err(|e| e.to_string())
        };
        for (info, lang) in [
            ("", Lang::En),
            ("lang = \"\"", Lang::En),
            ("lang = \"EN\"", Lang::En),
            ("lang = \"eng\"", Lang::En),
            ("lang = \"es-CO\"", Lang::Es),
            ("lang = \"fr\"", Lang::Other),
        ] {
            assert_eq!(load(info), Ok(lang), "{info}");
        }
        let error = load("lang = \"spanish\"").expect_err("a name");
        assert!(error.contains("kb.toml"), "{error}");
        assert!(error.contains("\"spanish\" (did you mean \"es\"?)"), "{error}");
        assert!(load("lang = \"xx\"").expect_err("unknown").contains("\"xx\""));
    }

    #[test]
    fn bad_folders_are_named() {
        let missing = KnowledgeBase::load(Path::new("no-such-folder")).expect_err("missing");
        assert!(missing.to_string().contains("no-such-folder: no such knowledge base"));
        let empty = KnowledgeBase::load(folder(&[("a.md", b" \n")]).path()).expect_err("empty");
        assert!(empty.to_string().contains("empty: found 1 .md,"));
        let latin = KnowledgeBase::load(folder(&[("a.md", b"caf\xe9")]).path()).expect_err("latin");
        assert!(latin.to_string().contains("a.md:1: not valid UTF-8"));
        let twice = KnowledgeBase::load(folder(&[("a.md", b"x"), ("a.txt", b"y")]).path())
            .expect_err("twice");
        assert!(twice.to_string().contains("both have the document id `a`"));
        let info =
            KnowledgeBase::load(folder(&[("a.md", b"x"), ("kb.toml", b"langg = 1\n")]).path());
        assert!(info.expect_err("unknown key").to_string().contains("langg"));
    }
}
