//! The store: a model's id to its verified files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::digest::DigestMemory;
use crate::error::Tried;
use crate::fetch::{Down, Fetcher};
use crate::place::{self, Found, Place};
use crate::progress::say;
use crate::{Error, ModelFiles, ModelSpec, Registry, Result, StoreOptions, Task};

/// Finds, fetches and verifies the models of a registry.
///
/// A store stands for one run: a source on the network that did not answer is not asked
/// again by the same store.
#[derive(Debug)]
pub struct Store {
    registry: Registry,
    options: StoreOptions,
    memory: DigestMemory,
    down: Down,
}

/// One line of `fiel models list`.
#[derive(Clone, Debug)]
pub struct ModelStatus {
    /// The model's id.
    pub id: String,
    /// What it is for.
    pub task: Task,
    /// SPDX expression of its licence.
    pub licence: String,
    /// Bytes of all its files.
    pub size: u64,
    /// Where its files lie, if all are there.
    pub location: Option<(Place, PathBuf)>,
    /// What is known about them.
    pub check: Check,
}

/// What is known about a model's files without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// They are not on this machine.
    Missing,
    /// They are there in the right size and have not been hashed.
    Unchecked,
    /// They have the registry's SHA-256.
    Verified,
    /// One has another size or SHA-256 than the registry.
    Damaged,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Missing => "missing",
            Self::Unchecked => "unchecked",
            Self::Verified => "verified",
            Self::Damaged => "damaged",
        })
    }
}

impl Store {
    /// A store over `models.toml` of the options' `local` folder, else over the built-in
    /// registry.
    ///
    /// # Errors
    /// Those of [`Registry::load`].
    pub fn new(options: StoreOptions) -> Result<Self> {
        Ok(Self::with_registry(
            Registry::load(&options.local)?,
            options,
        ))
    }

    /// A store over a registry at hand.
    pub fn with_registry(registry: Registry, options: StoreOptions) -> Self {
        let memory = DigestMemory::open(options.cache.join("digests.json"));
        Self {
            registry,
            options,
            memory,
            down: Down::default(),
        }
    }

    /// The registry.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The options.
    pub fn options(&self) -> &StoreOptions {
        &self.options
    }

    /// The model's files, verified: from a folder of this machine, else fetched.
    ///
    /// # Errors
    /// [`Error::UnknownModel`]; [`Error::Unavailable`], which lists every source with its
    /// reason; [`Error::Io`] when the cache folder cannot be written.
    pub fn ensure(&self, id: &str) -> Result<ModelFiles> {
        let spec = self.registry.get(id)?;
        let mut tried = Vec::new();
        if let Some(files) = self.find(spec, &mut tried) {
            return Ok(files);
        }
        let fetcher = Fetcher {
            options: &self.options,
            memory: &self.memory,
            down: &self.down,
        };
        match fetcher.fetch(spec, &mut tried)? {
            Some(files) => Ok(files),
            None => Err(unavailable(spec, tried)),
        }
    }

    /// The model's files if they lie on this machine, verified; no network.
    pub fn locate(&self, id: &str) -> Option<ModelFiles> {
        self.find(self.registry.get(id).ok()?, &mut Vec::new())
    }

    /// Reads every byte of the model's files on this machine again; no network.
    ///
    /// # Errors
    /// [`Error::UnknownModel`]; [`Error::Refused`] when the first folder that holds the
    /// model has a file that is not the registry's; [`Error::Unavailable`] when no folder
    /// holds it.
    pub fn verify(&self, id: &str) -> Result<ModelFiles> {
        let spec = self.registry.get(id)?;
        let mut tried = Vec::new();
        for (place, dir) in place::folders(&self.options, spec) {
            match place::examine_anew(spec, &dir, &self.memory) {
                Found::Good(files) => return Ok(files),
                Found::Damaged(error) => return Err(error),
                Found::Absent(reason) => tried.push(Tried {
                    source: place.to_string(),
                    reason,
                }),
            }
        }
        Err(unavailable(spec, tried))
    }

    /// What is on this machine, for every model of the registry; reads no weights.
    pub fn status(&self) -> Vec<ModelStatus> {
        self.registry
            .models()
            .iter()
            .map(|spec| {
                let mut location = None;
                let mut check = Check::Missing;
                for (place, dir) in place::folders(&self.options, spec) {
                    let here = self.known(spec, &dir);
                    if here == Check::Missing || (here == Check::Damaged && check == here) {
                        continue;
                    }
                    (location, check) = (Some((place, dir)), here);
                    // A damaged copy is passed over when a later folder has a good one.
                    if check != Check::Damaged {
                        break;
                    }
                }
                ModelStatus {
                    id: spec.id.clone(),
                    task: spec.task,
                    licence: spec.licence.clone(),
                    size: spec.size(),
                    location,
                    check,
                }
            })
            .collect()
    }

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
        let sha256 = match self.memory.get(&path) {
            Some(sha256) => sha256,
            None => self.memory.hash(&path).map_err(Error::io("read", &path))?,
        };
        let digests = BTreeMap::from([(name.to_string_lossy().into_owned(), sha256)]);
        Ok(ModelFiles::new(&stem.to_string_lossy(), dir, digests))
    }

    fn find(&self, spec: &ModelSpec, tried: &mut Vec<Tried>) -> Option<ModelFiles> {
        if self.options.folder.is_none() {
            let reason = "not set".to_owned();
            tried.push(Tried {
                source: Place::Folder.to_string(),
                reason,
            });
        }
        for (place, dir) in place::folders(&self.options, spec) {
            let reason = match place::examine(spec, &dir, &self.memory) {
                Found::Good(files) => return Some(files),
                Found::Absent(reason) => reason,
                Found::Damaged(error) => {
                    say(self.options.quiet, &format!("{place}: {error}"));
                    error.to_string()
                }
            };
            tried.push(Tried {
                source: place.to_string(),
                reason,
            });
        }
        None
    }

    fn known(&self, spec: &ModelSpec, dir: &Path) -> Check {
        match place::sizes(spec, dir) {
            Ok(()) => {}
            Err(Found::Damaged(_)) => return Check::Damaged,
            Err(_) => return Check::Missing,
        }
        let mut check = Check::Verified;
        for file in &spec.files {
            match self.memory.get(&dir.join(&file.name)) {
                Some(sha256) if sha256 == file.sha256 => {}
                Some(_) => return Check::Damaged,
                None => check = Check::Unchecked,
            }
        }
        check
    }
}

fn unavailable(spec: &ModelSpec, tried: Vec<Tried>) -> Error {
    let files: Vec<&str> = spec.files.iter().map(|file| file.name.as_str()).collect();
    let advice = format!(
        "What to do: run `fiel models fetch {id}` with a network, or set FIEL_MODELS to a \
         folder that holds {} in {id}/.",
        files.join(", "),
        id = spec.id,
    );
    Error::Unavailable {
        id: spec.id.clone(),
        size: spec.size(),
        tried,
        advice,
    }
}
