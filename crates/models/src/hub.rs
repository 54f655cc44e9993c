//! Downloads from the model hub with `hf-hub`.
//!
//! That client has no timeouts. It runs in a separate thread that reports every read and is
//! abandoned after [`STALL_TIMEOUT`] without a report.

use std::{
    panic::resume_unwind,
    path::Path,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
};

use hf_hub::{
    Cache, Repo, RepoType,
    api::{
        Progress as HubProgress,
        sync::{ApiBuilder, ApiError, ApiRepo},
    },
};

use crate::{
    Error,
    failure::{Failure, STALL_TIMEOUT},
    files::move_file,
    progress::DownloadProgress,
    registry::is_component,
    spec::{FileSpec, HubSpec, ModelSpec},
};

/// Downloads a model's files into the folder `work`. Returns their commit.
pub(crate) fn fetch(
    spec: &ModelSpec,
    hub: &HubSpec,
    endpoint: Option<&str>,
    work: &Path,
    progress: &DownloadProgress,
) -> Result<String, Failure> {
    // The client's cache, on the volume of the target and deleted with `work`.
    let cache = work.join(".hub");
    let mut hub = hub.clone();
    let mut files: Vec<&FileSpec> = spec.files.iter().collect();
    if !spec.is_pinned() {
        let repo = open(&hub, endpoint, &cache)?;
        let info = watched(|_| (), move |_| repo.info())?;
        let has = |name: &str| info.siblings.iter().any(|file| file.rfilename == name);
        files.retain(|file| !file.optional || has(&file.name));
        let missing: Vec<&str> =
            files.iter().map(|file| file.name.as_str()).filter(|name| !has(name)).collect();
        if !missing.is_empty() {
            return Err(Failure::new(format!("the repository lacks {}", missing.join(", "))));
        }
        if !is_component(&info.sha) {
            return Err(Failure::new(format!("invalid commit {:?}", info.sha)));
        }
        // The branch can move between two files; the commit cannot.
        hub.revision = info.sha;
    }
    let mut before = 0;
    for FileSpec { name, .. } in files {
        progress.set_message(name);
        let repo = open(&hub, endpoint, &cache)?;
        let requested = name.clone();
        let link = watched(
            |bytes| progress.set_bytes(before + bytes),
            move |reporter| repo.download_with_progress(&requested, reporter),
        )?;
        let source = link.canonicalize().map_err(Error::io("resolve", &link))?;
        let target = work.join(name);
        move_file(&source, &target)?;
        before += target.metadata().map_or(0, |metadata| metadata.len());
        progress.set_bytes(before);
    }
    Ok(hub.revision)
}

fn open(hub: &HubSpec, endpoint: Option<&str>, cache: &Path) -> Result<ApiRepo, ApiError> {
    let mut builder = ApiBuilder::from_cache(Cache::new(cache.to_owned()))
        .with_progress(false)
        .with_token(None)
        .with_retries(2);
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
    }
    let (repository, revision) = (hub.repository.clone(), hub.revision.clone());
    Ok(builder.build()?.repo(Repo::with_revision(repository, RepoType::Model, revision)))
}

enum DownloadEvent<T> {
    /// A file, or the rest of it after a retry, starts.
    Start,
    Bytes(u64),
    Done(Result<T, ApiError>),
}

/// Sends the reports of the client to the waiting thread.
struct Reporter<T>(Sender<DownloadEvent<T>>);

impl<T> Reporter<T> {
    fn send(&self, event: DownloadEvent<T>) {
        if self.0.send(event).is_err() {
            // The receiver has given up. The client offers no other way to stop than to unwind,
            // here without a panic message.
            resume_unwind(Box::new(()));
        }
    }
}

impl<T> HubProgress for Reporter<T> {
    fn init(&mut self, _size: usize, _filename: &str) {
        self.send(DownloadEvent::Start);
    }

    fn update(&mut self, size: usize) {
        self.send(DownloadEvent::Bytes(size as u64));
    }

    fn finish(&mut self) {}
}

/// Runs a request to the hub in a thread. Calls `on_bytes` with the number of bytes received.
fn watched<T: Send + 'static>(
    mut on_bytes: impl FnMut(u64),
    request: impl FnOnce(Reporter<T>) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        let done = request(Reporter(sender.clone()));
        // Fails if the receiver has given up.
        let _ = sender.send(DownloadEvent::Done(done));
    });
    let mut bytes = 0;
    loop {
        match events.recv_timeout(STALL_TIMEOUT) {
            Ok(DownloadEvent::Start) => bytes = 0,
            Ok(DownloadEvent::Bytes(n)) => {
                bytes += n;
                on_bytes(bytes);
            }
            Ok(DownloadEvent::Done(done)) => return done.map_err(Failure::from),
            Err(RecvTimeoutError::Timeout) => return Err(Failure::stalled()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new("the client stopped without a result"));
            }
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        // With an HTTP status, even 404, the hub is reachable.
        let unreachable = matches!(&error, ApiError::RequestError(cause)
            if !cause.to_string().starts_with("http status"));
        Self { reason: error.to_string(), unreachable }
    }
}
