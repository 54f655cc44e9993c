//! Folders on this machine where a model's files may lie.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::{DigestMemory, hash_file};
use crate::options::StoreOptions;
use crate::spec::{FileSpec, ModelSpec};
use crate::{Error, ModelFiles, first_use};

/// A kind of folder, in the order they are looked at, or the one that was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The folder named by `FIEL_MODELS`.
    Folder,
    /// `models/` in the working directory.
    Local,
    /// The user's cache folder.
    Cache,
    /// The hub's own cache.
    HubCache,
    /// The folder or file that the model's name is.
    Named,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Folder => "FIEL_MODELS",
            Self::Local => "models/",
            Self::Cache => "cache",
            Self::HubCache => "hub cache",
            Self::Named => "place named",
        })
    }
}

/// What a folder holds of a model.
pub(crate) enum Found {
    /// All files, each with the size and SHA-256 that are known of it.
    Good(ModelFiles),
    /// All files, one of which is another.
    Damaged(Error),
    /// Not all files; the reason.
    Absent(String),
}

/// The folders for a model, in order; of the hub's cache the pinned revision first, then
/// the others, which may well hold the same files.
pub(crate) fn folders(options: &StoreOptions, spec: &ModelSpec) -> Vec<(Place, PathBuf)> {
    let mut folders = Vec::new();
    if let Some(folder) = &options.folder {
        folders.push((Place::Folder, folder.join(spec.folder())));
    }
    folders.push((Place::Local, options.local.join(spec.folder())));
    folders.push((Place::Cache, options.cache.join(spec.folder())));
    if let (Some(cache), Some(hub)) = (&options.hub_cache, &spec.hub) {
        let name = format!("models--{}", hub.repository.replace('/', "--"));
        let snapshots = cache.join(&name).join("snapshots");
        if !spec.is_pinned() {
            // Which commit a branch stood at is all that tells one snapshot from another.
            let branch = cache.join(name).join("refs").join(&hub.revision);
            let commit = fs::read_to_string(branch).unwrap_or_else(|_| hub.revision.clone());
            folders.push((Place::HubCache, snapshots.join(commit.trim())));
            return folders;
        }
        let pinned = snapshots.join(&hub.revision);
        let mut others: Vec<PathBuf> = fs::read_dir(&snapshots)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        others.retain(|other| *other != pinned);
        others.sort();
        folders.push((Place::HubCache, pinned));
        folders.extend(others.into_iter().map(|other| (Place::HubCache, other)));
    }
    folders
}

/// Looks for a model's files in a folder and checks them, by memory where they have not
/// changed.
pub(crate) fn examine(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> Found {
    check(spec, dir, |path, file| match memory.get(path) {
        // A memory that disagrees is not believed: hash.
        Some(sha256) if file.sha256.as_ref().is_none_or(|known| *known == sha256) => Ok(sha256),
        _ => memory.hash(path),
    })
}

/// The same, reading every byte.
pub(crate) fn examine_anew(spec: &ModelSpec, dir: &Path, memory: &DigestMemory) -> Found {
    check(spec, dir, |path, _| memory.hash(path))
}

/// The same for files that are about to get another name: nothing is remembered.
pub(crate) fn examine_temporary(spec: &ModelSpec, dir: &Path) -> Found {
    check(spec, dir, |path, _| hash_file(path))
}

/// Presence and size of a model's files, without reading them.
pub(crate) fn sizes(spec: &ModelSpec, dir: &Path) -> Result<(), Found> {
    for file in &spec.files {
        let path = dir.join(&file.name);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {}
            Err(_) if file.optional && dir.is_dir() => {}
            Ok(_) => return Err(Found::Absent(format!("{} is no file", path.display()))),
            Err(_) if !dir.is_dir() => {
                return Err(Found::Absent(format!("no folder {}", dir.display())));
            }
            Err(error) => return Err(Found::Absent(format!("{}: {error}", path.display()))),
        }
    }
    for FileSpec { name, size, .. } in &spec.files {
        let path = dir.join(name);
        let actual = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if let Some(size) = size
            && actual != *size
        {
            return Err(Found::Damaged(Error::Refused {
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
    digest: impl Fn(&Path, &FileSpec) -> std::io::Result<String>,
) -> Found {
    let spec = match first_use::pinned(spec, dir) {
        Ok(spec) => spec,
        Err(error) => return Found::Damaged(error),
    };
    if let Err(found) = sizes(&spec, dir) {
        return found;
    }
    let mut digests = BTreeMap::new();
    for file in &spec.files {
        let path = dir.join(&file.name);
        if file.optional && !path.is_file() {
            continue;
        }
        let sha256 = match digest(&path, file) {
            Ok(sha256) => sha256,
            Err(error) => return Found::Damaged(Error::io("read", path)(error)),
        };
        if let Some(known) = &file.sha256
            && sha256 != *known
        {
            return Found::Damaged(Error::Refused {
                path,
                expected: format!("SHA-256 {known}"),
                actual: format!("SHA-256 {sha256}"),
            });
        }
        digests.insert(file.name.clone(), sha256);
    }
    Found::Good(ModelFiles::new(&spec.id, dir, digests))
}
