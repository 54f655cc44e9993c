//! A knowledge base: the documents of a folder.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use fiel_store::{read_optional_text, sha256_hex};
use fiel_text::{Lang, id::DocId};
use serde::{Deserialize, Deserializer};

use crate::{
    Document, Error,
    load::{self, Faults},
};

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
    /// What could not be read and is left out: files, lines, pages, links. Each with the reason.
    pub left_out: Vec<String>,
}

impl KnowledgeBase {
    /// Reads every file below `dir` that contains documents: Markdown (`.md`, `.markdown`), plain
    /// text (`.txt`), HTML (`.html`, `.htm`), PDF with a text layer (`.pdf`), and JSON lines
    /// (`.jsonl`: `_id` or `id`, `title`, `text` or `contents`), each line a document with the id
    /// `file/id`.
    ///
    /// A page of a PDF that cannot be read, and a symbolic link that leaves the folder, are left out
    /// and named in [`KnowledgeBase::left_out`].
    ///
    /// # Errors
    /// When the folder is missing or empty, files or lines of one cannot be read (all are named),
    /// `kb.toml` is not valid, or two documents have the same id.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        Self::read(dir, false)
    }

    /// As [`KnowledgeBase::load`], but leaves out files and lines that cannot be read, too.
    ///
    /// # Errors
    /// When the folder is missing, nothing in it can be read, or `kb.toml` is not valid.
    pub fn load_readable(dir: &Path) -> Result<Self, Error> {
        Self::read(dir, true)
    }

    fn read(dir: &Path, skip_bad: bool) -> Result<Self, Error> {
        if !dir.is_dir() {
            return Err(Error::NoKnowledgeBase { path: dir.to_owned() });
        }
        let root = std::fs::canonicalize(dir).map_err(|e| Error::io(dir, e))?;
        let (mut files, mut faults) = (Vec::new(), Faults::default());
        walk(dir, &root, &mut files, &mut faults)?;
        files.sort();
        let mut documents: BTreeMap<DocId, (PathBuf, Document)> = BTreeMap::new();
        for path in &files {
            for doc in load::documents(path, &document_id(dir, path), &mut faults) {
                match documents.entry(doc.id.clone()) {
                    Entry::Vacant(place) => {
                        place.insert((path.clone(), doc));
                    }
                    Entry::Occupied(first) => faults.bad.push(Error::DuplicateDocument {
                        id: doc.id.into(),
                        first: first.get().0.clone(),
                        second: path.clone(),
                    }),
                }
            }
        }
        let Faults { bad, mut left_out } = faults;
        if skip_bad {
            left_out.extend(bad.iter().map(Error::to_string));
        } else if !bad.is_empty() {
            return Err(Error::Several { path: dir.to_owned(), problems: bad });
        }
        // Names within the folder, because the notes enter the manifest of a run.
        let folder = format!("{}{MAIN_SEPARATOR}", dir.display());
        let left_out = left_out.iter().map(|line| line.replace(&folder, "")).collect();
        let documents: Vec<Document> = documents.into_values().map(|(_, doc)| doc).collect();
        if documents.iter().all(|d| d.text[d.body.clone()].trim().is_empty()) {
            return Err(Error::EmptyKnowledgeBase { path: dir.to_owned(), files: files.len() });
        }
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, info: info(&dir.join("kb.toml"))?, documents, left_out })
    }

    /// The document with this id, in any spelling that [`DocId`] takes for the same.
    pub fn document(&self, id: &str) -> Option<&Document> {
        let id = DocId::from(id);
        let index = self.documents.binary_search_by(|d| d.id.cmp(&id)).ok()?;
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

/// Collects the files below `dir` that have a loader. `root` is the knowledge base without links.
fn walk(
    dir: &Path,
    root: &Path,
    files: &mut Vec<PathBuf>,
    faults: &mut Faults,
) -> Result<(), Error> {
    for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
        let entry = entry.map_err(|e| Error::io(dir, e))?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let path = entry.path();
        let is_link = entry.file_type().is_ok_and(|t| t.is_symlink());
        if path.is_dir() {
            // A link to a folder may lead back here.
            if is_link {
                faults.leave_out(&path, "a symbolic link to a folder, which is not followed");
            } else {
                walk(&path, root, files, faults)?;
            }
        } else if load::is_known(&path) {
            let leaves = || std::fs::canonicalize(&path).is_ok_and(|path| !path.starts_with(root));
            if is_link && leaves() {
                let reason = "a symbolic link to a file outside of the knowledge base";
                faults.leave_out(&path, reason);
            } else {
                files.push(path);
            }
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
    fn all_files_that_cannot_be_read_are_named_and_can_be_left_out() {
        let dir = folder(&[
            ("a.md", b"caf\xe9"),
            ("b.jsonl", b"{\"id\": 1, \"text\": \"x\"}\n{\"id\": 2}\n[]\n"),
            ("c.pdf", b"no PDF"),
            ("d.md", b"Text.\n"),
            ("d.txt", b"Text.\n"),
            ("e.txt", b"\xff\xfeh\0i\0"),
        ]);
        let error = KnowledgeBase::load(dir.path()).expect_err("refused").to_string();
        for name in
            ["5 files or lines", "a.md:1", "b.jsonl:2", "b.jsonl:3", "c.pdf", "d.txt", "--skip-bad"]
        {
            assert!(error.contains(name), "{name} in {error}");
        }
        let kb = KnowledgeBase::load_readable(dir.path()).expect("loads");
        let ids: Vec<&str> = kb.documents.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids, ["b/1", "d", "e"]);
        assert_eq!(kb.document("e").map(|d| d.text.as_str()), Some("hi"));
        assert_eq!(kb.left_out.len(), 5);
    }

    #[test]
    fn odd_file_names_are_ids_in_every_spelling() {
        let dir = folder(&[
            ("Okafor, 2020.txt", b"x"),
            ("minutes [draft].md", b"x"),
            ("C# primer.md", b"x"),
            ("cancio\u{301}n.md", b"x"),
        ]);
        let kb = KnowledgeBase::load(dir.path()).expect("loads");
        let ids: Vec<&str> = kb.documents.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids, ["C_ primer", "Okafor_ 2020", "canción", "minutes _draft_"]);
        for id in ["C# primer", "Okafor, 2020", "cancio\u{301}n", "canción"] {
            assert!(kb.document(id).is_some(), "{id}");
        }
        let dir = folder(&[("a#.md", b"x"), ("a;.md", b"y")]);
        let error = KnowledgeBase::load(dir.path()).expect_err("one id");
        assert!(error.to_string().contains("both have the document id `a_`"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let (dir, other) = (folder(&[("a.md", b"x")]), folder(&[("secret.md", b"s")]));
        let link = |from: &Path, name: &str| {
            std::os::unix::fs::symlink(from, dir.path().join(name)).expect("link");
        };
        link(&other.path().join("secret.md"), "b.md");
        link(other.path(), "sub");
        link(&dir.path().join("a.md"), "c.md");
        let kb = KnowledgeBase::load(dir.path()).expect("loads");
        let ids: Vec<&str> = kb.documents.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids, ["a", "c"]);
        assert!(kb.left_out.iter().all(|line| line.contains("symbolic link")), "{:?}", kb.left_out);
        assert_eq!(kb.left_out.len(), 2);
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
