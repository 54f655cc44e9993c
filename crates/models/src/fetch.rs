//! A download from start to finish: one process at a time, into a temporary folder,
//! checked, then renamed.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::digest::DigestMemory;
use crate::error::Tried;
use crate::failure::Failure;
use crate::options::StoreOptions;
use crate::place::{Found, examine, examine_temporary};
use crate::progress::{Progress, say};
use crate::spec::ModelSpec;
use crate::{Error, ModelFiles, Result, first_use, hub, wheels};

/// Temporary folders begin with it; one that is there while nobody fetches is stale.
const PARTIAL: &str = ".partial-";

/// A source on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Hub,
    Wheels,
}

/// The sources that did not answer in this run, each with its reason.
#[derive(Debug, Default)]
pub(crate) struct Down(Mutex<BTreeMap<Source, String>>);

impl Down {
    fn reason(&self, source: Source) -> Option<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&source)
            .cloned()
    }

    fn add(&self, source: Source, reason: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(source, reason);
    }
}

/// What a fetch needs besides the model.
pub(crate) struct Fetcher<'a> {
    pub(crate) options: &'a StoreOptions,
    pub(crate) memory: &'a DigestMemory,
    pub(crate) down: &'a Down,
}

impl Fetcher<'_> {
    /// Fetches a model into the cache folder. `None` when no source had it; `tried` has
    /// the reasons.
    pub(crate) fn fetch(
        &self,
        spec: &ModelSpec,
        tried: &mut Vec<Tried>,
    ) -> Result<Option<ModelFiles>> {
        let sources =
            [Source::Hub, Source::Wheels].map(|source| (source, self.obstacle(spec, source)));
        let mut tell = |source, reason| {
            tried.push(Tried {
                source: name(spec, source),
                reason,
            })
        };
        if sources.iter().all(|(_, obstacle)| obstacle.is_some()) {
            // Where nothing can come from, nothing is written.
            for (source, obstacle) in sources {
                tell(source, obstacle.unwrap_or_default());
            }
            return Ok(None);
        }

        // Client libraries want absolute paths.
        let cache = &self.options.cache;
        let cache = std::path::absolute(cache).map_err(Error::io("resolve", cache))?;
        let target = cache.join(spec.folder());
        let spec = &*first_use::pinned(spec, &target)?;
        fs::create_dir_all(&target).map_err(Error::io("create", &target))?;
        let lock = self.lock(spec, &target)?;
        if let Found::Good(files) = examine(spec, &target, self.memory) {
            return Ok(Some(files));
        }
        if lock.is_some() {
            remove_stale(&target);
        }
        for (source, obstacle) in sources {
            if let Some(reason) = obstacle {
                tell(source, reason);
                continue;
            }
            match self.ask(spec, source, &target) {
                Ok(files) => return Ok(Some(files)),
                Err(Failure {
                    reason,
                    unreachable,
                }) => {
                    let line = format!("{}: {reason}", name(spec, source));
                    say(self.options.quiet, &line);
                    if unreachable {
                        self.down.add(source, reason.clone());
                    }
                    tell(source, reason);
                }
            }
        }
        Ok(None)
    }

    /// Why a source is not asked at all.
    fn obstacle(&self, spec: &ModelSpec, source: Source) -> Option<String> {
        let listed = match source {
            Source::Hub => spec.hub.is_some(),
            Source::Wheels => spec.wheels.is_some(),
        };
        if !listed {
            Some("the registry lists none".to_owned())
        } else if self.options.offline {
            Some("not asked: offline".to_owned())
        } else if source == Source::Hub && self.options.hub_offline {
            Some("not asked: HF_HUB_OFFLINE is set".to_owned())
        } else {
            let reason = self.down.reason(source)?;
            Some(format!("not asked again in this run: {reason}"))
        }
    }

    /// Waits until no other process fetches the model. `None` on a file system without
    /// locks: temporary names are unique, so a second fetch wastes time there and does no
    /// harm.
    fn lock(&self, spec: &ModelSpec, target: &Path) -> Result<Option<File>> {
        let path = target.join(".lock");
        let file = File::create(&path).map_err(Error::io("create", &path))?;
        let locked = match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                let text = format!("{}: another process fetches it; waiting", spec.id);
                say(self.options.quiet, &text);
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

    fn ask(&self, spec: &ModelSpec, source: Source, target: &Path) -> Result<ModelFiles, Failure> {
        let work = tempfile::Builder::new()
            .prefix(PARTIAL)
            .tempdir_in(target)
            .map_err(Failure::io("write to", target))?;
        let options = self.options;
        let title = name(spec, source);
        let progress = Progress::start(&spec.id, spec.size(), &title, options.quiet);
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
            // `obstacle` passes over a source that is not listed.
            _ => return Err(Failure::answered("the registry lists none")),
        };
        drop(progress);
        let digests = match examine_temporary(spec, work.path()) {
            Found::Good(files) => files.digests(),
            Found::Damaged(error) => return Err(refused(error)),
            Found::Absent(reason) => return Err(Failure::answered(reason)),
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
                .map_err(|error| Failure::answered(error.to_string()))?;
        }
        Ok(ModelFiles::new(&spec.id, target, digests))
    }
}

/// The file that was refused, without its temporary folder.
fn refused(error: Error) -> Failure {
    Failure::answered(match error {
        Error::Refused {
            path,
            expected,
            actual,
        } => {
            let file = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            format!("{file} refused, expected {expected}, received {actual}")
        }
        other => other.to_string(),
    })
}

/// Removes what interrupted downloads have left. Only under the lock. What cannot be
/// removed now, because an orphan still writes there, is so the next time.
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

fn name(spec: &ModelSpec, source: Source) -> String {
    match (source, &spec.hub, &spec.wheels) {
        (Source::Hub, Some(hub), _) => format!("hub repository {}", hub.repository),
        (Source::Hub, None, _) => "hub".to_owned(),
        (Source::Wheels, _, Some(wheels)) if wheels.parts > 1 => {
            format!(
                "Python packages {} … {}",
                wheels.package(1),
                wheels.package(wheels.parts)
            )
        }
        (Source::Wheels, _, Some(wheels)) => format!("Python package {}", wheels.package(1)),
        (Source::Wheels, _, None) => "Python package".to_owned(),
    }
}
