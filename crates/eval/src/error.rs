use std::{fmt, path::PathBuf};

use thiserror::Error;

/// One thing that is wrong with a gold set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldFault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Id of the question, where it could be read.
    pub question: Option<String>,
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

/// What can go wrong before or during an evaluation.
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
    /// The pipeline could not be used at all.
    #[error(transparent)]
    Pipeline(#[from] fiel_reader::Error),
    /// The judge has plain cases wrong.
    #[error(
        "the judge `{judge}` fails the self-test, {} of {pairs} pairs wrong, and judges no run:\n{}\n\
         Name a larger model as judge.model, or use judge.method = \"grounded\"",
        failed.len(),
        lines(failed)
    )]
    SelfTest {
        /// The judge.
        judge: String,
        /// Pairs it was asked about.
        pairs: usize,
        /// Those it has wrong.
        failed: Vec<fiel_report::FailedPair>,
    },
    /// A text could not be embedded.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
    /// The words of the documents could not be indexed.
    #[error(transparent)]
    Retrieval(#[from] fiel_retrieval::Error),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// A knowledge base cannot be read.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
}

impl Error {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

fn counted(faults: usize) -> String {
    match faults {
        1 => "1 fault".to_owned(),
        n => format!("{n} faults"),
    }
}

fn list(faults: &[GoldFault]) -> String {
    faults
        .iter()
        .map(|fault| format!("  {fault}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn lines(failed: &[fiel_report::FailedPair]) -> String {
    let lines: Vec<String> = failed.iter().map(|pair| format!("  {pair}")).collect();
    lines.join("\n")
}

fn others(known: &[String]) -> String {
    match known {
        [] => ". A gold set is a file of questions, one JSON object a line".to_owned(),
        names => format!(". There are: {}", names.join(", ")),
    }
}
