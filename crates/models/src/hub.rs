//! Files from the model hub, through `hf-hub`.
//!
//! That client has no time limits, so it works in a thread of its own and reports every
//! read; when nothing is heard for [`SILENCE`] the thread is given up.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};

use hf_hub::api::Progress as HubProgress;
use hf_hub::api::sync::{ApiBuilder, ApiError, ApiRepo};
use hf_hub::{Repo, RepoType};

use crate::failure::{Failure, SILENCE};
use crate::progress::Progress;
use crate::registry::one_component;
use crate::spec::{FileSpec, HubSpec, ModelSpec};

/// Fetches a model's files into the folder `work`. The commit they are from.
pub(crate) fn fetch(
    spec: &ModelSpec,
    hub: &HubSpec,
    endpoint: Option<&str>,
    work: &Path,
    progress: &Progress,
) -> Result<String, Failure> {
    // The client keeps its cache here: on the same volume as the target, and gone with
    // the rest when the fetch fails.
    let cache = work.join(".hub");
    let mut hub = hub.clone();
    let mut files: Vec<&FileSpec> = spec.files.iter().collect();
    if !spec.is_pinned() {
        let repo = open(&hub, endpoint, &cache).map_err(|error| failure(&error))?;
        let info = heard(|_| (), move |_| repo.info())?;
        let has = |name: &str| info.siblings.iter().any(|file| file.rfilename == name);
        files.retain(|file| !file.optional || has(&file.name));
        let missing: Vec<&str> = files
            .iter()
            .map(|file| file.name.as_str())
            .filter(|name| !has(name))
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", no ");
            return Err(Failure::answered(format!("it has no {missing}")));
        }
        if !one_component(&info.sha) {
            return Err(Failure::answered(format!(
                "it has no commit: {:?}",
                info.sha
            )));
        }
        // All files from one commit, though the branch may move meanwhile.
        hub.revision = info.sha;
    }
    let mut before = 0;
    for file in files {
        progress.note(&file.name);
        let repo = open(&hub, endpoint, &cache).map_err(|error| failure(&error))?;
        let name = file.name.clone();
        let fetched = heard(
            |bytes| progress.set(before + bytes),
            move |reporter| repo.download_with_progress(&name, reporter),
        )?;
        // The client hands out a link to the file.
        let fetched = fetched
            .canonicalize()
            .map_err(Failure::io("resolve", &fetched))?;
        let target = work.join(&file.name);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent).map_err(Failure::io("create", parent))?;
        }
        std::fs::rename(&fetched, &target).map_err(Failure::io("rename", &fetched))?;
        before += target.metadata().map_or(0, |metadata| metadata.len());
        progress.set(before);
    }
    Ok(hub.revision)
}

fn open(hub: &HubSpec, endpoint: Option<&str>, cache: &Path) -> Result<ApiRepo, ApiError> {
    let mut builder = ApiBuilder::from_cache(hf_hub::Cache::new(cache.to_owned()))
        .with_progress(false)
        .with_token(None)
        .with_retries(2);
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
    }
    let (repository, revision) = (hub.repository.clone(), hub.revision.clone());
    Ok(builder
        .build()?
        .repo(Repo::with_revision(repository, RepoType::Model, revision)))
}

enum Event<T> {
    /// The file, or the rest of it after a retry, is about to come.
    Start,
    Bytes(u64),
    Done(Result<T, ApiError>),
}

/// Sends what the client reports to the thread that waits.
struct Reporter<T>(Sender<Event<T>>);

impl<T> Reporter<T> {
    fn send(&self, event: Event<T>) {
        if self.0.send(event).is_err() {
            // Nobody waits any more: end this thread. The client's progress cannot
            // return an error, and unwinding without a panic message is the way out.
            resume_unwind(Box::new(()));
        }
    }
}

impl<T> HubProgress for Reporter<T> {
    fn init(&mut self, _size: usize, _filename: &str) {
        self.send(Event::Start);
    }

    fn update(&mut self, size: usize) {
        self.send(Event::Bytes(size as u64));
    }

    fn finish(&mut self) {}
}

/// One request to the hub; `on_bytes` gets the number of bytes that are here.
fn heard<T: Send + 'static>(
    mut on_bytes: impl FnMut(u64),
    request: impl FnOnce(Reporter<T>) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        let done = request(Reporter(sender.clone()));
        // Nobody waits any more: nothing to tell.
        let _ = sender.send(Event::Done(done));
    });
    let mut bytes = 0;
    loop {
        match events.recv_timeout(SILENCE) {
            Ok(Event::Start) => bytes = 0,
            Ok(Event::Bytes(n)) => {
                bytes += n;
                on_bytes(bytes);
            }
            Ok(Event::Done(done)) => return done.map_err(|error| failure(&error)),
            Err(RecvTimeoutError::Timeout) => return Err(Failure::silent()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::answered(
                    "the hub's client stopped without a result",
                ));
            }
        }
    }
}

fn failure(error: &ApiError) -> Failure {
    let text = error.to_string();
    match error {
        // A status, even 404, is an answer: the hub is there.
        ApiError::RequestError(cause) if !cause.to_string().starts_with("http status") => {
            Failure::unreachable(text)
        }
        _ => Failure::answered(text),
    }
}
