//! The verified files of one model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiel_store::sha256_hex;

use crate::{Error, Result};

/// The files of a model as they lie on the disk, each with the SHA-256 it was found to
/// have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    id: String,
    dir: PathBuf,
    /// Name to path and SHA-256.
    files: BTreeMap<String, (PathBuf, String)>,
}

impl ModelFiles {
    /// `digests` are the names of files in `dir` with their SHA-256.
    pub(crate) fn new(id: &str, dir: &Path, digests: BTreeMap<String, String>) -> Self {
        let files = digests
            .into_iter()
            .map(|(name, sha256)| {
                let path = dir.join(&name);
                (name, (path, sha256))
            })
            .collect();
        Self {
            id: id.to_owned(),
            dir: dir.to_owned(),
            files,
        }
    }

    /// The model's id; of a file opened by path its name without the ending.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The folder the files lie in.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names of the files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Path of one file.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`], which lists the names there are.
    pub fn path(&self, name: &str) -> Result<&Path> {
        self.entry(name).map(|(path, _)| path.as_path())
    }

    /// SHA-256 of one file in lower-case hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`], which lists the names there are.
    pub fn sha256(&self, name: &str) -> Result<&str> {
        self.entry(name).map(|(_, sha256)| sha256.as_str())
    }

    /// Path of the one file whose name ends in `.gguf`.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`] when there is none or more than one.
    pub fn gguf(&self) -> Result<&Path> {
        let mut found = self
            .files
            .iter()
            .filter(|(name, _)| name.ends_with(".gguf"));
        match (found.next(), found.next()) {
            (Some((_, (path, _))), None) => Ok(path),
            _ => Err(self.no_such_file("*.gguf")),
        }
    }

    /// One digest over all files: SHA-256 of the lines `name sha256`, names ascending,
    /// in lower-case hexadecimal digits. It is the model's part of a cache key and does
    /// not depend on where the files lie.
    pub fn digest(&self) -> String {
        let files = self.files.iter();
        let lines: String = files
            .map(|(name, (_, sha256))| format!("{name} {sha256}\n"))
            .collect();
        sha256_hex(lines.as_bytes())
    }

    /// Bytes of all files together, when every one can be looked at.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |(path, _): &(PathBuf, String)| path.metadata().ok().map(|found| found.len());
        self.files.values().map(size).sum()
    }

    /// SHA-256 by name.
    pub(crate) fn digests(&self) -> BTreeMap<String, String> {
        let pair =
            |(name, (_, sha256)): (&String, &(PathBuf, String))| (name.clone(), sha256.clone());
        self.files.iter().map(pair).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn files(dir: &str, names: &[(&str, &str)]) -> ModelFiles {
        let digests = names
            .iter()
            .map(|(n, d)| (n.to_string(), d.to_string()))
            .collect();
        ModelFiles::new("m", Path::new(dir), digests)
    }

    #[test]
    fn digest_follows_names_and_contents_only() {
        let one = files("/a", &[("x", "00"), ("y", "11")]);
        // printf 'x 00\ny 11\n' | sha256sum
        assert_eq!(
            one.digest(),
            "c0423875620c508ddd82b44029db89355e2eacb97ef1094c07f37a71df9b5aa8"
        );
        assert_eq!(
            one.digest(),
            files("/b", &[("y", "11"), ("x", "00")]).digest()
        );
        assert_ne!(
            one.digest(),
            files("/a", &[("x", "00"), ("y", "12")]).digest()
        );
        assert_ne!(
            one.digest(),
            files("/a", &[("x", "00"), ("z", "11")]).digest()
        );
    }

    #[test]
    fn names_resolve_or_are_listed() {
        let one = files("/a", &[("x.gguf", "00"), ("y", "11")]);
        assert_eq!(one.path("y").unwrap(), Path::new("/a/y"));
        assert_eq!(one.sha256("y").unwrap(), "11");
        assert_eq!(one.gguf().unwrap(), Path::new("/a/x.gguf"));
        let error = one.path("z").unwrap_err().to_string();
        assert!(
            error.contains("\"z\"") && error.contains("x.gguf, y"),
            "{error}"
        );
        assert!(files("/a", &[("y", "11")]).gguf().is_err());
    }
}
