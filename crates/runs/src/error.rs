//! Errors of reading, comparing and writing stored runs.

use std::path::PathBuf;

use thiserror::Error;

/// What can go wrong with stored runs.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// A run cannot be read.
    #[error("{}: {message}", path.display())]
    Run { path: PathBuf, message: String },
    /// Runs cannot be compared with each other, with a gold set or with a baseline.
    #[error("{0}")]
    Compare(String),
    /// A value is not a number, or a ranking is invalid.
    #[error("{0}")]
    Measure(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
}

impl Error {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}
