//! What can go wrong between a model's name and its tensors.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use indicatif::DecimalBytes;

/// `Result` with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the registry, the store, the device or a loader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The registry has no model of this id, and it names nothing else.
    #[error(
        "no model {id:?} in the registry; it knows {}. A model may also be a folder, or \
         OWNER/NAME of the hub, with @REVISION or, for a text generator, /FILE.gguf behind it",
        .known.join(", ")
    )]
    UnknownModel {
        /// The id asked for.
        id: String,
        /// The ids of the registry, in its order.
        known: Vec<String>,
    },
    /// The registry cannot be read.
    #[error("{origin}: {message}")]
    Registry {
        /// The file, or "built-in registry".
        origin: String,
        /// What is wrong with it.
        message: String,
    },
    /// No source had the model.
    #[error("{}", unavailable(.id, *.size, .tried, .advice))]
    Unavailable {
        /// The model's id.
        id: String,
        /// Bytes of all its files, when they are known.
        size: Option<u64>,
        /// Every source in the order tried.
        tried: Vec<Tried>,
        /// What to do about it.
        advice: String,
    },
    /// A folder that was named as a model is none.
    #[error(
        "{}: no model folder, it has no {}; it must hold config.json, tokenizer.json and \
         model.safetensors", .path.display(), .missing.join(", no ")
    )]
    NoModelFolder {
        /// The folder.
        path: PathBuf,
        /// The files it lacks.
        missing: Vec<String>,
    },
    /// A file is not the one the registry lists.
    #[error(
        "{}: refused, expected {expected}, found {actual}; delete it and run `fiel models fetch`",
        .path.display()
    )]
    Refused {
        /// The file.
        path: PathBuf,
        /// Size or SHA-256 by the registry, or as recorded at first use.
        expected: String,
        /// Size or SHA-256 of the file.
        actual: String,
    },
    /// A model has no file of this name.
    #[error("model {id:?} has no file {name:?}; its files are {}", .known.join(", "))]
    NoSuchFile {
        /// The model's id.
        id: String,
        /// The name asked for.
        name: String,
        /// The names it has.
        known: Vec<String>,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// The verb: "read", "create", "rename".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The device asked for cannot be had.
    #[error("device {device:?}: {reason}")]
    Device {
        /// What was asked for.
        device: String,
        /// The missing feature or driver and what to do.
        reason: String,
    },
    /// A verified file does not hold what its loader expects.
    #[error("cannot load {}: {message}", .path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// The loader's complaint.
        message: String,
    },
}

/// One source of a model that was tried, or passed over, and why it had nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The source, with the folder, repository or package looked at.
    pub source: String,
    /// Why nothing came from it.
    pub reason: String,
}

impl Error {
    /// For `map_err` on file operations.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

fn unavailable(id: &str, size: Option<u64>, tried: &[Tried], advice: &str) -> String {
    let size = size.map_or(String::new(), |size| format!(" ({})", DecimalBytes(size)));
    let mut text = format!("model {id:?}{size} is not available; tried in order:");
    for Tried { source, reason } in tried {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {source}: {reason}");
    }
    let _ = write!(text, "\n{advice}");
    text
}
