//! The store, which finds the files of a model.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Mutex,
};

use crate::{
    Attempt, Error, ModelFiles, ModelFolder, ModelSpec, ModelStoreOptions, Registry, Result, Task,
    digest::DigestMemory,
    fetch::Source,
    first_use,
    open::Resolved,
    place::{self, FolderError},
    progress::notify,
};

/// Finds, downloads and verifies models.
///
/// A store skips a source on the network that did not respond before, so create one per run.
#[derive(Debug)]
pub struct ModelStore {
    pub(crate) registry: Registry,
    pub(crate) options: ModelStoreOptions,
    pub(crate) memory: DigestMemory,
    /// The sources that did not respond in this run, with the reasons.
    pub(crate) unreachable: Mutex<BTreeMap<Source, String>>,
}

/// The local state of a model, as `fiel models list` shows it.
#[derive(Clone, Debug)]
pub struct ModelStatus {
    /// The model's id.
    pub id: String,
    /// The task, if the model is in the registry.
    pub task: Option<Task>,
    /// The licence as an SPDX expression; `NOASSERTION` if the model is not in the registry.
    pub licence: String,
    /// Total size of the files in bytes, if known.
    pub size: Option<u64>,
    /// The folder of the files, if all are present.
    pub location: Option<(ModelFolder, PathBuf)>,
    /// The integrity of the files.
    pub check: Integrity,
}

/// The integrity of a model's files, as far as it is known without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Integrity {
    /// Files are missing.
    Missing,
    /// The files have the right size and have not been hashed.
    Unchecked,
    /// The files have the SHA-256 of the registry.
    Verified,
    /// The registry has no SHA-256. The files have the one recorded at the first download.
    FirstUse,
    /// No SHA-256 is known, so the files are used without verification.
    AsFound,
    /// A file has the wrong size or SHA-256.
    Damaged,
}

impl fmt::Display for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Missing => "missing",
            Self::Unchecked => "unchecked",
            Self::Verified => "verified",
            Self::FirstUse => "trusted on first use",
            Self::AsFound => "as found",
            Self::Damaged => "damaged",
        })
    }
}

impl ModelStore {
    /// Creates a store with the registry in the `local` folder of the options, or else the
    /// built-in registry.
    ///
    /// # Errors
    /// The errors of [`Registry::load`].
    pub fn new(options: ModelStoreOptions) -> Result<Self> {
        Ok(Self::with_registry(Registry::load(&options.local)?, options))
    }

    /// Creates a store with a registry.
    pub fn with_registry(registry: Registry, options: ModelStoreOptions) -> Self {
        let memory = DigestMemory::open(options.cache.join("digests.json"));
        Self { registry, options, memory, unreachable: Mutex::default() }
    }

    /// The registry.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns the verified files of a model. Downloads them if no local folder has them.
    ///
    /// `id` is an id of the registry, the path of a folder with `config.json`, `tokenizer.json`
    /// and `model.safetensors`, the path of a GGUF file, or a hub repository as `OWNER/NAME`,
    /// `OWNER/NAME@REVISION` or `OWNER/NAME/FILE.gguf`. Files given by path are not verified. The
    /// first download from a hub repository is trusted, and its hashes are recorded.
    ///
    /// # Errors
    /// [`Error::UnknownModel`]; [`Error::NoModelFolder`]; [`Error::Unavailable`], which lists
    /// every source with its reason; [`Error::Io`] if the cache folder cannot be written.
    pub fn ensure(&self, id: &str) -> Result<ModelFiles> {
        let mut attempts = Vec::new();
        let spec = &*match self.resolve(id, &mut attempts)? {
            Resolved::Spec(spec) => spec,
            Resolved::Files(files) => return Ok(files),
        };
        if let Some(files) = self.find(spec, &mut attempts) {
            return Ok(files);
        }
        let fetched = self.fetch(spec, &mut attempts)?;
        fetched.ok_or_else(|| unavailable(spec, attempts))
    }

    /// Hashes the model's files in the first local folder that has them, and returns them.
    ///
    /// # Errors
    /// [`Error::UnknownModel`]; [`Error::Mismatch`] if a file has the wrong size or SHA-256;
    /// [`Error::Unavailable`] if no local folder has the model.
    pub fn verify(&self, id: &str) -> Result<ModelFiles> {
        let mut attempts = Vec::new();
        let spec = &*match self.resolve(id, &mut attempts)? {
            Resolved::Spec(spec) => spec,
            Resolved::Files(files) => return Ok(files),
        };
        for (place, dir) in place::folders(&self.options, spec) {
            match place::rehash(spec, &dir, &self.memory) {
                Ok(files) => return Ok(files),
                Err(FolderError::Damaged(error)) => return Err(error),
                Err(FolderError::Incomplete(reason)) => attempts.push(Attempt::new(place, reason)),
            }
        }
        Err(unavailable(spec, attempts))
    }

    /// The local state of every model in the registry. Reads no weights.
    pub fn status(&self) -> Vec<ModelStatus> {
        let models = self.registry.models().iter();
        models.map(|spec| self.status_of_spec(spec)).collect()
    }

    /// The local state of a model. Accepts the same names as [`ensure`](Self::ensure).
    ///
    /// # Errors
    /// [`Error::UnknownModel`]; the errors of reading a file or folder given by path.
    pub fn status_of(&self, id: &str) -> Result<ModelStatus> {
        Ok(match self.resolve(id, &mut Vec::new())? {
            Resolved::Spec(spec) => self.status_of_spec(&spec),
            Resolved::Files(files) => ModelStatus {
                id: id.to_owned(),
                task: None,
                licence: "NOASSERTION".to_owned(),
                size: files.size(),
                location: Some((ModelFolder::Named, files.dir().to_owned())),
                check: Integrity::AsFound,
            },
        })
    }

    fn status_of_spec(&self, spec: &ModelSpec) -> ModelStatus {
        let found = place::folders(&self.options, spec)
            .into_iter()
            .map(|location| (self.check(spec, &location.1), Some(location)))
            .filter(|(check, _)| *check != Integrity::Missing)
            // A good copy in a later folder takes precedence over a damaged one.
            .min_by_key(|(check, _)| *check == Integrity::Damaged);
        let (check, location) = found.unwrap_or((Integrity::Missing, None));
        ModelStatus {
            id: spec.id.clone(),
            task: spec.task,
            licence: spec.licence.clone(),
            size: spec.size(),
            location,
            check,
        }
    }

    fn find(&self, spec: &ModelSpec, attempts: &mut Vec<Attempt>) -> Option<ModelFiles> {
        if self.options.folder.is_none() {
            attempts.push(Attempt::new(ModelFolder::Folder, "not set"));
        }
        for (place, dir) in place::folders(&self.options, spec) {
            let reason = match place::examine(spec, &dir, &self.memory) {
                Ok(files) => return Some(files),
                Err(FolderError::Incomplete(reason)) => reason,
                Err(FolderError::Damaged(error)) => {
                    notify(self.options.quiet, &format!("{place}: {error}"));
                    error.to_string()
                }
            };
            attempts.push(Attempt::new(place, reason));
        }
        None
    }

    /// The integrity of a model's files in a folder, by their sizes and remembered hashes.
    fn check(&self, spec: &ModelSpec, dir: &Path) -> Integrity {
        let mut check = if spec.is_pinned() { Integrity::Verified } else { Integrity::FirstUse };
        let Ok(spec) = first_use::pinned(spec, dir) else { return Integrity::Damaged };
        match place::check_sizes(&spec, dir) {
            Ok(()) => {}
            Err(FolderError::Damaged(_)) => return Integrity::Damaged,
            Err(FolderError::Incomplete(_)) => return Integrity::Missing,
        }
        for file in &spec.files {
            let Some(known) = &file.sha256 else { return Integrity::AsFound };
            match self.memory.get(&dir.join(&file.name)) {
                Some(sha256) if sha256 == *known => {}
                Some(_) => return Integrity::Damaged,
                None => check = Integrity::Unchecked,
            }
        }
        check
    }
}

fn unavailable(spec: &ModelSpec, attempts: Vec<Attempt>) -> Error {
    let required = spec.files.iter().filter(|file| !file.optional);
    let files: Vec<&str> = required.map(|file| file.name.as_str()).collect();
    let advice = format!(
        "run `fiel models fetch {}` with network access, or set FIEL_MODELS to a folder with {} \
         in {}/",
        spec.id,
        files.join(", "),
        spec.folder(),
    );
    Error::Unavailable { id: spec.id.clone(), size: spec.size(), attempts, advice }
}
