//! The verified files of one model.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use fiel_store::sha256_hex;

use crate::{Error, Result};

/// The files of a model on disk with their SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    id: String,
    dir: PathBuf,
    /// Path and SHA-256 by name.
    files: BTreeMap<String, (PathBuf, String)>,
}

impl ModelFiles {
    /// Creates the files of a model from the SHA-256 of each file name in `dir`.
    pub(crate) fn new(id: &str, dir: &Path, digests: BTreeMap<String, String>) -> Self {
        let with_path = |(name, sha256)| {
            let path = dir.join(&name);
            (name, (path, sha256))
        };
        let files = digests.into_iter().map(with_path).collect();
        Self { id: id.to_owned(), dir: dir.to_owned(), files }
    }

    /// The model's id. For a file opened by path, its name without the extension.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The folder of the files.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names of the files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The path of a file.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`], which lists the known names.
    pub fn path(&self, name: &str) -> Result<&Path> {
        self.entry(name).map(|(path, _)| path.as_path())
    }

    /// The SHA-256 of a file in lower-case hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`], which lists the known names.
    pub fn sha256(&self, name: &str) -> Result<&str> {
        self.entry(name).map(|(_, sha256)| sha256.as_str())
    }

    /// The path of the only file whose name ends in `.gguf`.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`] if there is no such file or more than one.
    pub fn gguf(&self) -> Result<&Path> {
        let mut found = self.files.iter().filter(|(name, _)| name.ends_with(".gguf"));
        match (found.next(), found.next()) {
            (Some((_, (path, _))), None) => Ok(path),
            _ => Err(self.no_such_file("*.gguf")),
        }
    }

    /// A digest of all files: the SHA-256 of the lines `name sha256`, sorted by name, in
    /// lower-case hexadecimal digits. Cache keys contain it, so it does not depend on the folder.
    pub fn digest(&self) -> String {
        let files = self.files.iter();
        let lines: String = files.map(|(name, (_, sha256))| format!("{name} {sha256}\n")).collect();
        sha256_hex(lines.as_bytes())
    }

    /// Total size in bytes, if the size of every file can be read.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |(path, _): &(PathBuf, String)| Some(path.metadata().ok()?.len());
        self.files.values().map(size).sum()
    }

    pub(crate) fn digests(&self) -> BTreeMap<String, String> {
        self.files.iter().map(|(name, (_, sha256))| (name.clone(), sha256.clone())).collect()
    }

    fn entry(&self, name: &str) -> Result<&(PathBuf, String)> {
        self.files.get(name).ok_or_else(|| self.no_such_file(name))
    }

    fn no_such_file(&self, name: &str) -> Error {
        Error::NoSuchFile {
            id: self.id.clone(),
            name: name.to_owned(),
            known: self.names().map(str::to_owned).collect(),
        }
    }
}

/// Renames a file. Creates the folder of its new path.
pub(crate) fn move_file(from: &Path, to: &Path) -> Result<()> {
    create_parent(to)?;
    fs::rename(from, to).map_err(Error::io("rename", from))
}

pub(crate) fn create_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(Error::io("create", parent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(dir: &str, names: &[(&str, &str)]) -> ModelFiles {
        let digests = names.iter().map(|(n, d)| (n.to_string(), d.to_string())).collect();
        ModelFiles::new("m", Path::new(dir), digests)
    }

    #[test]
    fn digest_depends_only_on_names_and_contents() {
        let one = files("/a", &[("x", "00"), ("y", "11")]);
        // printf 'x 00\ny 11\n' | sha256sum
        assert_eq!(
            one.digest(),
            "c0423875620c508ddd82b44029db89355e2eacb97ef1094c07f37a71df9b5aa8"
        );
        assert_eq!(one.digest(), files("/b", &[("y", "11"), ("x", "00")]).digest());
        assert_ne!(one.digest(), files("/a", &[("x", "00"), ("y", "12")]).digest());
        assert_ne!(one.digest(), files("/a", &[("x", "00"), ("z", "11")]).digest());
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let one = files("/a", &[("x.gguf", "00"), ("y", "11")]);
        assert_eq!(one.path("y").unwrap(), Path::new("/a/y"));
        assert_eq!(one.sha256("y").unwrap(), "11");
        assert_eq!(one.gguf().unwrap(), Path::new("/a/x.gguf"));
        let error = one.path("z").unwrap_err().to_string();
        assert!(error.contains("\"z\"") && error.contains("x.gguf, y"), "{error}");
        assert!(files("/a", &[("y", "11")]).gguf().is_err());
    }
}
