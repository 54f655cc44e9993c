//! Resolution of model names. Folders and files that are named by path are opened here.

use std::{borrow::Cow, collections::BTreeMap, io::ErrorKind, path::Path};

use crate::{
    Error, ModelFiles, ModelSpec, ModelStore, Result,
    error::Attempt,
    named::{NamedModel, OPTIONAL, REQUIRED},
};

/// The result of resolving a name: a model to search for, or the files at a path.
pub(crate) enum Resolved<'a> {
    Spec(Cow<'a, ModelSpec>),
    Files(ModelFiles),
}

impl ModelStore {
    /// Opens a model file by path, such as a GGUF file outside the registry. Its id is the file
    /// name without the extension.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read.
    pub fn open_file(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let (Some(dir), Some(name), Some(stem)) =
            (path.parent(), path.file_name(), path.file_stem())
        else {
            return Err(Error::io("open", &path)(ErrorKind::IsADirectory.into()));
        };
        let digests = BTreeMap::from([(name.to_string_lossy().into_owned(), self.digest(&path)?)]);
        Ok(ModelFiles::new(&stem.to_string_lossy(), dir, digests))
    }

    /// Opens a sentence encoder or a cross-encoder by its folder. Its id is the folder's name.
    fn open_folder(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let exists = |name: &&str| path.join(name).is_file();
        let missing: Vec<String> =
            REQUIRED.iter().filter(|name| !exists(name)).map(ToString::to_string).collect();
        if !missing.is_empty() {
            return Err(Error::NoModelFolder { path, missing });
        }
        let mut digests = BTreeMap::new();
        for name in REQUIRED.into_iter().chain(OPTIONAL).filter(exists) {
            digests.insert(name.to_owned(), self.digest(&path.join(name))?);
        }
        let id = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(ModelFiles::new(&id, &path, digests))
    }

    /// The SHA-256 of a file, remembered if the file has not changed.
    fn digest(&self, path: &Path) -> Result<String> {
        match self.memory.get(path) {
            Some(sha256) => Ok(sha256),
            None => self.memory.hash(path).map_err(Error::io("read", path)),
        }
    }

    /// Resolves a name: as an id of the registry, then as a path, then as a repository.
    pub(crate) fn resolve(&self, id: &str, attempts: &mut Vec<Attempt>) -> Result<Resolved<'_>> {
        let unknown = match self.registry.get(id) {
            Ok(spec) => return Ok(Resolved::Spec(Cow::Borrowed(spec))),
            Err(unknown) => unknown,
        };
        Ok(match NamedModel::new(id).ok_or(unknown)? {
            NamedModel::Folder(path) => Resolved::Files(self.open_folder(&path)?),
            NamedModel::File(path) => Resolved::Files(self.open_file(&path)?),
            NamedModel::Repository(spec) => {
                attempts.push(Attempt {
                    source: format!("file or folder {id}"),
                    reason: "not found".to_owned(),
                });
                Resolved::Spec(Cow::Owned(spec))
            }
        })
    }
}
