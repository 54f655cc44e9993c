//! Errors of an evaluation.

use std::path::PathBuf;

use thiserror::Error;

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
    /// Runs that cannot be held against one another, or against a gold set or a baseline.
    #[error("{0}")]
    Compare(String),
    /// A figure that is no number.
    #[error("{0}")]
    Measure(String),
    /// A gold set is faulty.
    #[error(transparent)]
    Gold(#[from] fiel_gold::Error),
    /// A stored run cannot be used.
    #[error(transparent)]
    Runs(#[from] fiel_runs::Error),
    /// The pipeline could not be used at all.
    #[error(transparent)]
    Pipeline(#[from] fiel_reader::Error),
    /// A judge weaker than the model that it judges.
    #[error(
        "judge.model: `{judge}` has {parameters} parameters, fewer than the {reader_parameters} of `{reader}`, whose answers it would judge. Leave judge.model out, or name a larger model"
    )]
    WeakJudge {
        /// Id of the judge.
        judge: String,
        /// Number of its parameters.
        parameters: u64,
        /// Id of the reader.
        reader: String,
        /// Number of parameters of the reader.
        reader_parameters: u64,
    },
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
        failed: Vec<fiel_record::FailedPair>,
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
        Self::Io { path: path.to_owned(), source }
    }
}

fn lines(failed: &[fiel_record::FailedPair]) -> String {
    let lines: Vec<String> = failed.iter().map(|pair| format!("  {pair}")).collect();
    lines.join("\n")
}
