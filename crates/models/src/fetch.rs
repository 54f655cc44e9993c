//! Downloads of models. One process at a time downloads a model into a temporary folder,
//! verifies it and renames the files.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use crate::{
    Error, ModelFiles, Result,
    digest::DigestMemory,
    error::Attempt,
    failure::Failure,
    first_use, hub,
    options::ModelStoreOptions,
    place::{FolderState, examine, examine_temporary},
    progress::{DownloadProgress, notify},
    spec::ModelSpec,
    wheels,
};

/// Prefix of temporary folders. Such a folder is stale if no process holds the lock.
const PARTIAL: &str = ".partial-";

/// A source on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Hub,
    Wheels,
}

/// The sources that did not respond in this run, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct UnreachableSources(Mutex<BTreeMap<Source, String>>);

impl UnreachableSources {
    fn reason(&self, source: Source) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&source).cloned()
    }

    fn add(&self, source: Source, reason: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(source, reason);
    }
}

/// Downloads models into the cache folder.
pub(crate) struct Fetcher<'a> {
    pub(crate) options: &'a ModelStoreOptions,
    pub(crate) memory: &'a DigestMemory,
    pub(crate) unreachable: &'a UnreachableSources,
}

impl Fetcher<'_> {
    /// Downloads a model. Returns `None` if no source has it, with the reasons in `attempts`.
    pub(crate) fn fetch(
        &self,
        spec: &ModelSpec,
        attempts: &mut Vec<Attempt>,
    ) -> Result<Option<ModelFiles>> {
        let sources =
            [Source::Hub, Source::Wheels].map(|source| (source, self.obstacle(spec, source)));
        let mut record =
            |source, reason| attempts.push(Attempt { source: name(spec, source), reason });
        if sources.iter().all(|(_, obstacle)| obstacle.is_some()) {
            // Without a source, do not even create the folder.
            for (source, obstacle) in sources {
                record(source, obstacle.unwrap_or_default());
            }
            return Ok(None);
        }

        // The clients need absolute paths.
        let cache = &self.options.cache;
        let cache = std::path::absolute(cache).map_err(Error::io("resolve", cache))?;
        let target = cache.join(spec.folder());
        let spec = &*first_use::pinned(spec, &target)?;
        fs::create_dir_all(&target).map_err(Error::io("create", &target))?;
        let lock = self.lock(spec, &target)?;
        if let FolderState::Complete(files) = examine(spec, &target, self.memory) {
            return Ok(Some(files));
        }
        if lock.is_some() {
            remove_stale(&target);
        }
        for (source, obstacle) in sources {
            if let Some(reason) = obstacle {
                record(source, reason);
                continue;
            }
            match self.download(spec, source, &target) {
                Ok(files) => return Ok(Some(files)),
                Err(Failure { reason, unreachable }) => {
                    let line = format!("{}: {reason}", name(spec, source));
                    notify(self.options.quiet, &line);
                    if unreachable {
                        self.unreachable.add(source, reason.clone());
                    }
                    record(source, reason);
                }
            }
        }
        Ok(None)
    }

    /// Why a source is skipped, if it is.
    fn obstacle(&self, spec: &ModelSpec, source: Source) -> Option<String> {
        let listed = match source {
            Source::Hub => spec.hub.is_some(),
            Source::Wheels => spec.wheels.is_some(),
        };
        if !listed {
            Some("not in the registry".to_owned())
        } else if self.options.offline {
            Some("skipped: offline".to_owned())
        } else if source == Source::Hub && self.options.hub_offline {
            Some("skipped: HF_HUB_OFFLINE is set".to_owned())
        } else {
            let reason = self.unreachable.reason(source)?;
            Some(format!("skipped because it failed before: {reason}"))
        }
    }

    /// Waits until no other process downloads the model. Returns `None` on a file system without
    /// locks, where a second download only wastes time because temporary names are unique.
    fn lock(&self, spec: &ModelSpec, target: &Path) -> Result<Option<File>> {
        let path = target.join(".lock");
        let file = File::create(&path).map_err(Error::io("create", &path))?;
        let locked = match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                let text = format!("{}: waiting for another process that downloads it", spec.id);
                notify(self.options.quiet, &text);
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        match locked {
            Ok(()) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            Err(error) => Err(Error::io("lock", path)(error)),
        }
    }

    fn download(
        &self,
        spec: &ModelSpec,
        source: Source,
        target: &Path,
    ) -> Result<ModelFiles, Failure> {
        let work = tempfile::Builder::new()
            .prefix(PARTIAL)
            .tempdir_in(target)
            .map_err(Failure::io("write to", target))?;
        let options = self.options;
        let title = name(spec, source);
        let progress = DownloadProgress::start(&spec.id, spec.size(), &title, options.quiet);
        let commit = match (source, &spec.hub, &spec.wheels) {
            (Source::Hub, Some(hub), _) => {
                let endpoint = options.hub_endpoint.as_deref();
                Some(hub::fetch(spec, hub, endpoint, work.path(), &progress)?)
            }
            (Source::Wheels, _, Some(wheels)) => {
                let index = options.index_url.as_deref();
                wheels::fetch(spec, wheels, index, work.path(), &progress)?;
                None
            }
            // `obstacle` skips a source that is not in the registry.
            _ => return Err(Failure::new("not in the registry")),
        };
        drop(progress);
        let digests = match examine_temporary(spec, work.path()) {
            FolderState::Complete(files) => files.digests(),
            FolderState::Damaged(error) => return Err(rejected(error)),
            FolderState::Incomplete(reason) => return Err(Failure::new(reason)),
        };
        for (name, sha256) in &digests {
            let (from, to) = (work.path().join(name), target.join(name));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(Failure::io("create", parent))?;
            }
            fs::rename(&from, &to).map_err(Failure::io("rename", &from))?;
            self.memory.remember(&to, sha256);
        }
        if !spec.is_pinned() {
            first_use::record(target, commit.as_deref(), &digests)
                .map_err(|error| Failure::new(error.to_string()))?;
        }
        Ok(ModelFiles::new(&spec.id, target, digests))
    }
}

/// A rejected file, named without its temporary folder.
fn rejected(error: Error) -> Failure {
    Failure::new(match error {
        Error::Mismatch { path, expected, actual } => {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("{file}: expected {expected}, got {actual}")
        }
        other => other.to_string(),
    })
}

/// Removes the temporary folders of interrupted downloads. The caller holds the lock. A folder
/// that cannot be removed now is removed by a later download.
fn remove_stale(target: &Path) {
    let Ok(entries) = fs::read_dir(target) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PARTIAL) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The name of a source in messages.
fn name(spec: &ModelSpec, source: Source) -> String {
    match (source, &spec.hub, &spec.wheels) {
        (Source::Hub, Some(hub), _) => format!("hub repository {}", hub.repository),
        (Source::Hub, None, _) => "hub".to_owned(),
        (Source::Wheels, _, Some(wheels)) if wheels.parts > 1 => {
            format!("Python packages {} … {}", wheels.package(1), wheels.package(wheels.parts))
        }
        (Source::Wheels, _, Some(wheels)) => format!("Python package {}", wheels.package(1)),
        (Source::Wheels, _, None) => "Python package".to_owned(),
    }
}
