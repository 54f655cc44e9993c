//! Faults of a gold set, and errors of reading, checking and writing one.

use std::{fmt, path::PathBuf};

use fiel_text::id::QuestionId;
use thiserror::Error;

/// One thing that is wrong with a gold set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldFault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Id of the question, where it could be read.
    pub question: Option<QuestionId>,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for GoldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.question {
            Some(id) => write!(f, "line {}, {id}: {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

/// What can go wrong with a gold set.
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
    /// There is no such gold set.
    #[error("{}: no such gold set{}", path.display(), others(known))]
    NoGold {
        /// The file that was looked for.
        path: PathBuf,
        /// Gold sets beside it.
        known: Vec<String>,
    },
    /// The gold set is faulty; every fault is listed.
    #[error("{}: {}:\n{}", path.display(), counted(faults.len()), list(faults))]
    Gold {
        /// The file.
        path: PathBuf,
        /// All faults, by line.
        faults: Vec<GoldFault>,
    },
    /// The targets are faulty.
    #[error("{}: {message}", path.display())]
    Targets {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// No question is left.
    #[error("no question of {gold} matches {choice}. {advice}")]
    NothingChosen {
        /// The gold set.
        gold: String,
        /// What was asked for.
        choice: String,
        /// What there is.
        advice: String,
    },
    /// A source cannot be imported.
    #[error("{}: {message}", path.display())]
    Import {
        /// The source, or what it would be written to.
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
    /// The passages could not be indexed or searched.
    #[error("cannot search the passages: {0}")]
    Search(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A model that drafts or checks questions failed.
    #[error(transparent)]
    Model(Box<dyn std::error::Error + Send + Sync>),
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

fn counted(faults: usize) -> String {
    match faults {
        1 => "1 fault".to_owned(),
        n => format!("{n} faults"),
    }
}

fn list(faults: &[GoldFault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

fn others(known: &[String]) -> String {
    match known {
        [] => ". A gold set is a file of questions, one JSON object a line".to_owned(),
        names => format!(". There are: {}", names.join(", ")),
    }
}
