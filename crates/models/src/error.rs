//! Errors of the registry, the store, the device and the loaders.

use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use indicatif::DecimalBytes;

/// `Result` with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error between a model's name and its tensors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// The name is not in the registry and is not a path or a repository.
    #[error(
        "unknown model {id:?}; the registry has {}. A model can also be a folder, a GGUF file, \
         or a hub repository as OWNER/NAME, OWNER/NAME@REVISION or OWNER/NAME/FILE.gguf",
        .known.join(", ")
    )]
    UnknownModel { id: String, known: Vec<String> },
    /// The registry cannot be read.
    #[error("{origin}: {message}")]
    Registry { origin: String, message: String },
    /// No source has the model.
    #[error("{}", unavailable(.id, *.size, .attempts, .advice))]
    Unavailable { id: String, size: Option<u64>, attempts: Vec<Attempt>, advice: String },
    /// A folder lacks files of a model.
    #[error(
        "{} is not a model folder because it lacks {}; a model needs config.json, \
         tokenizer.json and model.safetensors", .path.display(), .missing.join(", ")
    )]
    NoModelFolder { path: PathBuf, missing: Vec<String> },
    /// A file does not have the size or SHA-256 of the registry or the first-use record.
    #[error(
        "{}: expected {expected}, got {actual}; delete the file and run `fiel models fetch`",
        .path.display()
    )]
    Mismatch { path: PathBuf, expected: String, actual: String },
    /// A model has no file with this name.
    #[error("model {id:?} has no file {name:?}; its files are {}", .known.join(", "))]
    NoSuchFile { id: String, name: String, known: Vec<String> },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// The requested device is unknown or not available.
    #[error("device {device:?}: {reason}")]
    Device { device: String, reason: String },
    /// A verified file does not hold what its loader expects.
    #[error("cannot load {}: {message}", .path.display())]
    Load { path: PathBuf, message: String },
}

/// A source of a model that was tried or skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The source, with the folder, repository or package.
    pub source: String,
    /// Why it did not provide the model.
    pub reason: String,
}

impl Attempt {
    pub(crate) fn new(source: impl ToString, reason: impl Into<String>) -> Self {
        Self { source: source.to_string(), reason: reason.into() }
    }
}

impl Error {
    /// Creates an [`Error::Load`].
    pub(crate) fn load(path: &Path, message: impl ToString) -> Self {
        Self::Load { path: path.to_owned(), message: message.to_string() }
    }

    /// Creates an [`Error::Io`], for `map_err` on file operations.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

fn unavailable(id: &str, size: Option<u64>, attempts: &[Attempt], advice: &str) -> String {
    let size = size.map_or(String::new(), |size| format!(" ({})", DecimalBytes(size)));
    let mut text = format!("model {id:?}{size} is not available; tried, in order:");
    for Attempt { source, reason } in attempts {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {source}: {reason}");
    }
    let _ = write!(text, "\n{advice}");
    text
}
