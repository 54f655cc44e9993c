//! The local folders of a model.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs, io,
    path::{Path, PathBuf},
};

use fiel_store::sha256_file;

use crate::{
    Error, FileSpec, ModelFiles, ModelSpec, ModelStoreOptions, digest::DigestMemory, first_use,
};

/// A kind of folder for models, in the order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelFolder {
    /// The folder named by `FIEL_MODELS`.
    Folder,
    /// `models/` in the working directory.
    Local,
    /// The user's cache folder.
    Cache,
    /// The hub's own cache.
    HubCache,
    /// The path given as the model's name.
    Named,
}

impl fmt::Display for ModelFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Folder => "FIEL_MODELS",
            Self::Local => "models/",
            Self::Cache => "cache",
            Self::HubCache => "hub cache",
            Self::Named => "path",
        })
    }
}

/// All files of a model, with the known sizes and hashes.
pub(crate) type FolderResult = Result<ModelFiles, FolderError>;

/// Why a folder does not provide a model.
pub(crate) enum FolderError {
    /// Files are missing, with the reason.
    Incomplete(String),
    /// All files are present, but one has the wrong size or hash or cannot be read.
    Damaged(Error),
}

impl From<Error> for FolderError {
    fn from(error: Error) -> Self {
        Self::Damaged(error)
    }
}

/// The folders to search for a model, in order. The hub's cache has a folder per revision: the
/// pinned one comes first, then the others because they can hold the same files.
pub(crate) fn folders(
    options: &ModelStoreOptions,
    spec: &ModelSpec,
) -> Vec<(ModelFolder, PathBuf)> {
    let mut folders = Vec::new();
    if let Some(folder) = &options.folder {
        folders.push((ModelFolder::Folder, folder.join(spec.folder())));
    }
    folders.push((ModelFolder::Local, options.local.join(spec.folder())));
    folders.push((ModelFolder::Cache, options.cache.join(spec.folder())));
    if let (Some(cache), Some(hub)) = (&options.hub_cache, &spec.hub) {
        let name = format!("models--{}", hub.repository.replace('/', "--"));
        let snapshots = cache.join(&name).join("snapshots");
        if !spec.is_pinned() {
            // Without digests, only the commit of the branch identifies the right snapshot.
            let branch = cache.join(name).join("refs").join(&hub.revision);
            let commit = fs::read_to_string(branch).unwrap_or_else(|_| hub.revision.clone());
            folders.push((ModelFolder::HubCache, snapshots.join(commit.trim())));
            return folders;
        }
        let pinned = snapshots.join(&hub.revision);
        let entries = fs::read_dir(&snapshots).into_iter().flatten().flatten();
        let others: BTreeSet<PathBuf> =
            entries.map(|entry| entry.path()).filter(|other| *other != pinned).collect();
        folders.push((ModelFolder::HubCache, pinned));
        folders.extend(others.into_iter().map(|other| (ModelFolder::HubCache, other)));
    }
    folders
}

/// Checks a model's files in a folder. Takes the remembered hash of an unchanged file.
pub(crate) fn examine(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> FolderResult {
    check(spec, dir, |path, file| match memory.get(path) {
        // If the remembered hash is wrong, hash the file before rejecting it.
        Some(sha256) if file.sha256.as_ref().is_none_or(|known| *known == sha256) => Ok(sha256),
        _ => memory.hash(path),
    })
}

/// Checks a model's files in a folder. Hashes every file.
pub(crate) fn rehash(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> FolderResult {
    check(spec, dir, |path, _| memory.hash(path))
}

/// Checks a model's files in a temporary folder. Hashes every file and remembers nothing.
pub(crate) fn examine_temporary(spec: &ModelSpec, dir: &Path) -> FolderResult {
    check(spec, dir, |path, _| sha256_file(path))
}

/// Checks presence and size of a model's files without reading them.
pub(crate) fn check_sizes(spec: &ModelSpec, dir: &Path) -> Result<(), FolderError> {
    for file in &spec.files {
        let path = dir.join(&file.name);
        let reason = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => continue,
            Err(_) if file.optional && dir.is_dir() => continue,
            Ok(_) => format!("{} is not a file", path.display()),
            Err(_) if !dir.is_dir() => format!("no folder {}", dir.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
        return Err(FolderError::Incomplete(reason));
    }
    for FileSpec { name, size, .. } in &spec.files {
        let path = dir.join(name);
        let actual = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if let Some(size) = size
            && actual != *size
        {
            return Err(mismatch(path, format!("{size} bytes"), format!("{actual} bytes")));
        }
    }
    Ok(())
}

fn check(
    spec: &ModelSpec,
    dir: &Path,
    digest: impl Fn(&Path, &FileSpec) -> io::Result<String>,
) -> FolderResult {
    let spec = first_use::pinned(spec, dir)?;
    check_sizes(&spec, dir)?;
    let mut digests = BTreeMap::new();
    for file in &spec.files {
        let path = dir.join(&file.name);
        if file.optional && !path.is_file() {
            continue;
        }
        let sha256 = digest(&path, file).map_err(Error::io("read", &path))?;
        if let Some(known) = &file.sha256
            && sha256 != *known
        {
            return Err(mismatch(path, format!("SHA-256 {known}"), format!("SHA-256 {sha256}")));
        }
        digests.insert(file.name.clone(), sha256);
    }
    Ok(ModelFiles::new(&spec.id, dir, digests))
}

fn mismatch(path: PathBuf, expected: String, actual: String) -> FolderError {
    Error::Mismatch { path, expected, actual }.into()
}
