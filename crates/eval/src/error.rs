//! Errors of an evaluation.

use std::path::PathBuf;

use fiel_gold::GoldFault;
use fiel_record::{FailedPair, counted};
use fiel_text::id::{ChunkId, QuestionId};
use thiserror::Error;

/// What can go wrong before or during an evaluation.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// An input file is faulty.
    #[error("{}: {message}", path.display())]
    Input { path: PathBuf, message: String },
    /// A run whose wrong answers cannot be read again.
    #[error("cannot diagnose run {run}: {reason}")]
    Diagnose { run: String, reason: DiagnosisObstacle },
    /// The output of another system has no answer to any question of the gold set.
    #[error("{file}: no row belongs to a question of {gold}; the first of {}:\n  {}", counted(*rows, "row"), first.as_ref().map(GoldFault::to_string).unwrap_or_default())]
    NoRowMatches { file: String, rows: usize, gold: String, first: Option<GoldFault> },
    /// The output of another system has no answer to any selected question.
    #[error(
        "no row of {file} belongs to a question of {gold} ({selection}); --split all selects every question"
    )]
    NoRowSelected { file: String, gold: String, selection: String },
    /// Labelled claims that all have the same label.
    #[error(
        "{file}: all {claims} claims have one and the same label, so no scorer can be measured"
    )]
    OneLabel { file: String, claims: usize },
    /// A file without labels.
    #[error("{file}: the file has no labels; add some with `fiel judge label RUN`")]
    NoLabels { file: String },
    /// A judge with fewer parameters than the reader that it judges.
    #[error(
        "judge.model: `{judge}` has {parameters} parameters, fewer than the {reader_parameters} of the reader `{reader}`. Remove judge.model, or name a larger model"
    )]
    WeakJudge { judge: String, parameters: u64, reader: String, reader_parameters: u64 },
    /// A judge that gets pairs of the self-test wrong.
    #[error(
        "the judge `{judge}` fails the self-test, {} of {pairs} pairs wrong:\n{}\n\
         Name a larger model as judge.model, or use judge.method = \"grounded\"",
        failed.len(),
        failed.iter().map(|pair| format!("  {pair}")).collect::<Vec<_>>().join("\n")
    )]
    SelfTest { judge: String, pairs: usize, failed: Vec<FailedPair> },
    /// The settings cannot be written as JSON.
    #[error("cannot write the settings of the run as JSON: {0}")]
    Settings(#[from] serde_json::Error),
    /// A ranked list cannot be measured.
    #[error(transparent)]
    Ranking(#[from] fiel_metrics::RankingError),
    /// Scores or verdicts cannot be compared.
    #[error(transparent)]
    Stats(#[from] fiel_metrics::StatsError),
    /// A gold set is faulty.
    #[error(transparent)]
    Gold(Box<fiel_gold::Error>),
    /// A stored run cannot be used.
    #[error(transparent)]
    Runs(#[from] fiel_runs::Error),
    /// The pipeline failed.
    #[error(transparent)]
    Pipeline(Box<fiel_reader::Error>),
    /// A text cannot be embedded.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
    /// A search failed.
    #[error(transparent)]
    Retrieval(#[from] fiel_retrieval::Error),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// A knowledge base cannot be read.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
}

impl From<fiel_reader::Error> for Error {
    fn from(error: fiel_reader::Error) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

impl From<fiel_gold::Error> for Error {
    fn from(error: fiel_gold::Error) -> Self {
        Self::Gold(Box::new(error))
    }
}

/// Why the wrong answers of a run cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagnosisObstacle {
    /// The answers are those of another system.
    #[error("its answers are those of {0}, which Fiel cannot run again")]
    OtherSystem(String),
    /// The run has no end-to-end answers.
    #[error(
        "it has no end-to-end answers; evaluate with `fiel eval --modes retrieval,oracle,e2e` first"
    )]
    NoAnswers,
    /// Inputs of the run differ from those of today.
    #[error(
        "{} changed since the run, so its answers cannot be reproduced. Evaluate again with \
         `fiel eval`, or restore the earlier state",
        .0.join(" and ")
    )]
    Changed(Vec<&'static str>),
    /// The gold set lacks a question of the run.
    #[error("the gold set has no question `{0}`")]
    NoQuestion(QuestionId),
    /// The knowledge base lacks a chunk of the run.
    #[error("the knowledge base has no chunk `{0}`")]
    NoChunk(ChunkId),
}
