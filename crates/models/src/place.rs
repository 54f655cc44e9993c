//! The local folders of a model.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    Error, ModelFiles,
    digest::{DigestMemory, hash_file},
    first_use,
    options::ModelStoreOptions,
    spec::{FileSpec, ModelSpec},
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

/// The state of a model's files in a folder.
pub(crate) enum FolderState {
    /// All files are present and match the known sizes and hashes.
    Complete(ModelFiles),
    /// All files are present, but one has the wrong size or hash or cannot be read.
    Damaged(Error),
    /// Files are missing, with the reason.
    Incomplete(String),
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
        let mut others: Vec<PathBuf> = fs::read_dir(&snapshots)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        others.retain(|other| *other != pinned);
        others.sort();
        folders.push((ModelFolder::HubCache, pinned));
        folders.extend(others.into_iter().map(|other| (ModelFolder::HubCache, other)));
    }
    folders
}

/// Checks a model's files in a folder. Takes the remembered hash of an unchanged file.
pub(crate) fn examine(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> FolderState {
    check(spec, dir, |path, file| match memory.get(path) {
        // If the remembered hash is wrong, hash the file before rejecting it.
        Some(sha256) if file.sha256.as_ref().is_none_or(|known| *known == sha256) => Ok(sha256),
        _ => memory.hash(path),
    })
}

/// Checks a model's files in a folder. Hashes every file.
pub(crate) fn rehash(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> FolderState {
    check(spec, dir, |path, _| memory.hash(path))
}

/// Checks a model's files in a temporary folder. Hashes every file and remembers nothing.
pub(crate) fn examine_temporary(spec: &ModelSpec, dir: &Path) -> FolderState {
    check(spec, dir, |path, _| hash_file(path))
}

/// Checks presence and size of a model's files without reading them. Fails with
/// [`FolderState::Damaged`] or [`FolderState::Incomplete`].
pub(crate) fn check_sizes(spec: &ModelSpec, dir: &Path) -> Result<(), FolderState> {
    for file in &spec.files {
        let path = dir.join(&file.name);
        let reason = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => continue,
            Err(_) if file.optional && dir.is_dir() => continue,
            Ok(_) => format!("{} is not a file", path.display()),
            Err(_) if !dir.is_dir() => format!("no folder {}", dir.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
        return Err(FolderState::Incomplete(reason));
    }
    for FileSpec { name, size, .. } in &spec.files {
        let path = dir.join(name);
        let actual = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if let Some(size) = size
            && actual != *size
        {
            return Err(FolderState::Damaged(Error::Mismatch {
                path,
                expected: format!("{size} bytes"),
                actual: format!("{actual} bytes"),
            }));
        }
    }
    Ok(())
}

fn check(
    spec: &ModelSpec,
    dir: &Path,
    digest: impl Fn(&Path, &FileSpec) -> io::Result<String>,
) -> FolderState {
    let spec = match first_use::pinned(spec, dir) {
        Ok(spec) => spec,
        Err(error) => return FolderState::Damaged(error),
    };
    if let Err(state) = check_sizes(&spec, dir) {
        return state;
    }
    let mut digests = BTreeMap::new();
    for file in &spec.files {
        let path = dir.join(&file.name);
        if file.optional && !path.is_file() {
            continue;
        }
        let sha256 = match digest(&path, file) {
            Ok(sha256) => sha256,
            Err(error) => return FolderState::Damaged(Error::io("read", path)(error)),
        };
        if let Some(known) = &file.sha256
            && sha256 != *known
        {
            return FolderState::Damaged(Error::Mismatch {
                path,
                expected: format!("SHA-256 {known}"),
                actual: format!("SHA-256 {sha256}"),
            });
        }
        digests.insert(file.name.clone(), sha256);
    }
    FolderState::Complete(ModelFiles::new(&spec.id, dir, digests))
}
