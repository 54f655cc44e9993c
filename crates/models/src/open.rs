//! From a name to what it stands for; folders and files are opened as they are found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::error::Tried;
use crate::named::{Named, OPTIONAL, REQUIRED};
use crate::{Error, ModelFiles, ModelSpec, Result, Store};

/// What a name stands for: what to look for, or what was found by it.
pub(crate) enum Meant<'a> {
    Model(Cow<'a, ModelSpec>),
    Files(ModelFiles),
}

impl Store {
    /// A model file by its path, such as a GGUF that no registry lists. Its id is its
    /// name without the ending; its digest is remembered.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be read.
    pub fn open_file(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let (Some(dir), Some(name), Some(stem)) =
            (path.parent(), path.file_name(), path.file_stem())
        else {
            return Err(Error::io("open", &path)(
                std::io::ErrorKind::IsADirectory.into(),
            ));
        };
        let digests = BTreeMap::from([(name.to_string_lossy().into_owned(), self.digest(&path)?)]);
        Ok(ModelFiles::new(&stem.to_string_lossy(), dir, digests))
    }

    /// A sentence encoder or a cross-encoder by its folder. Its id is the folder's name.
    fn open_folder(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let is_there = |name: &&str| path.join(name).is_file();
        let missing: Vec<String> = REQUIRED
            .iter()
            .filter(|name| !is_there(name))
            .map(ToString::to_string)
            .collect();
        if !missing.is_empty() {
            return Err(Error::NoModelFolder { path, missing });
        }
        let mut digests = BTreeMap::new();
        for name in REQUIRED.into_iter().chain(OPTIONAL).filter(is_there) {
            digests.insert(name.to_owned(), self.digest(&path.join(name))?);
        }
        let id = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(ModelFiles::new(&id, &path, digests))
    }

    /// SHA-256 of a file that nothing is known of, by memory where it has not changed.
    fn digest(&self, path: &Path) -> Result<String> {
        match self.memory.get(path) {
            Some(sha256) => Ok(sha256),
            None => self.memory.hash(path).map_err(Error::io("read", path)),
        }
    }

    /// The registry comes first, then what is there by the name, then the hub.
    pub(crate) fn meant(&self, id: &str, tried: &mut Vec<Tried>) -> Result<Meant<'_>> {
        let unknown = match self.registry.get(id) {
            Ok(spec) => return Ok(Meant::Model(Cow::Borrowed(spec))),
            Err(unknown) => unknown,
        };
        Ok(match Named::new(id).ok_or(unknown)? {
            Named::Folder(path) => Meant::Files(self.open_folder(&path)?),
            Named::File(path) => Meant::Files(self.open_file(&path)?),
            Named::Hub(spec) => {
                tried.push(Tried {
                    source: format!("file or folder {id}"),
                    reason: "not there".to_owned(),
                });
                Meant::Model(Cow::Owned(spec))
            }
        })
    }
}
