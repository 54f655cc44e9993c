//! Errors of reading, comparing and writing stored runs.

use std::path::PathBuf;

use thiserror::Error;

/// What can go wrong with stored runs.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A run cannot be read.
    #[error("{}: {message}", path.display())]
    Run {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// An input file is faulty.
    #[error("{}: {message}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        message: String,
    },
    /// Runs that cannot be held against one another, or against a gold set or a baseline.
    #[error("{0}")]
    Compare(String),
    /// A figure that is no number.
    #[error("{0}")]
    Measure(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// A stored file is bad.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
}

impl Error {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}
