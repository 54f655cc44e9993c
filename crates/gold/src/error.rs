//! Faults of a gold set, and errors of reading, checking and writing one.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use fiel_record::{LeftOut, counted};
use fiel_store::LineError;
use fiel_text::id::QuestionId;
use serde::Serialize;
use thiserror::Error;

use crate::{BoxError, Question, Selection};

/// A fault of a gold set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldFault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Id of the question; `None` if the line is not a question.
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

impl GoldFault {
    pub(crate) fn new(line: usize, question: &Question, message: impl Into<String>) -> Self {
        Self { line, question: Some(question.id.clone()), message: message.into() }
    }
}

/// An error of reading, checking, importing or writing a gold set.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// The gold set does not exist.
    #[error("{}: no such gold set{}", path.display(), others(known))]
    NoGold { path: PathBuf, known: Vec<String> },
    /// The gold set has faults.
    #[error("{}: {}:\n{}", path.display(), counted(faults.len(), "fault"), list(faults))]
    Gold { path: PathBuf, faults: Vec<GoldFault> },
    /// The companion file is not valid TOML or has an unknown key.
    #[error("{}: {source}", path.display())]
    Companion { path: PathBuf, source: Box<toml::de::Error> },
    /// A target of the companion file is faulty.
    #[error("{}: target `{key}`{problem}", path.display())]
    Target { path: PathBuf, key: String, problem: String },
    /// A selection matches no question, or names an unknown id or tag.
    #[error("no question of {gold} matches {selection}. {}", advice(selection, *questions, tags))]
    NothingChosen { gold: String, selection: Selection, questions: usize, tags: Vec<String> },
    /// The source of an import does not have the expected format.
    #[error("{}: {problem}; expected {expected}", path.display())]
    Format { path: PathBuf, problem: String, expected: &'static str },
    /// A collection has no judgements of a split.
    #[error(
        "{}: there are no judgements `{split}`; --split takes one of {}",
        path.display(), known.join(", ")
    )]
    NoJudgements { path: PathBuf, split: String, known: Vec<String> },
    /// No query of a split has a relevant document.
    #[error(
        "{}: no query of `{split}` has a relevant document: queries, documents and judgements do \
         not belong together",
        path.display()
    )]
    NothingRelevant { path: PathBuf, split: String },
    /// An import contains no usable question.
    #[error("{}: no question could be used, so nothing was written{}", path.display(), first_reason(first.as_ref()))]
    NothingImported { path: PathBuf, first: Option<LeftOut> },
    /// An import would replace a gold set or a knowledge base.
    #[error("{}: it exists already; --force replaces it", path.display())]
    Exists { path: PathBuf },
    /// An import would replace a folder that is not a knowledge base.
    #[error("{}: it contains no kb.toml, so it is not replaced; delete it yourself", path.display())]
    NotAKnowledgeBase { path: PathBuf },
    /// A line of a file of drafts is not a draft.
    #[error(
        "{}: line {line} is not a draft of `fiel gold suggest --drafts`: {source}",
        path.display()
    )]
    Draft { path: PathBuf, line: usize, source: LineError },
    /// The passages cannot be indexed or searched.
    #[error("cannot search the passages: {0}")]
    Search(#[source] BoxError),
    /// The model that drafts or checks questions failed.
    #[error(transparent)]
    Model(BoxError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// The documents cannot be chunked.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
}

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Store(fiel_store::Error::Io { path: path.to_owned(), source })
    }
}

/// The items as JSON Lines for the file at `path`.
pub(crate) fn to_json_lines<T: Serialize>(path: &Path, items: &[T]) -> Result<String, Error> {
    let mut text = String::new();
    for item in items {
        text.push_str(&serde_json::to_string(item).map_err(|e| Error::io(path, e.into()))?);
        text.push('\n');
    }
    Ok(text)
}

fn list(faults: &[GoldFault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

fn others(known: &[String]) -> String {
    match known {
        [] => ". A gold set is a file with one question per line, as a JSON object".to_owned(),
        names => format!(". There are: {}", names.join(", ")),
    }
}

fn advice(selection: &Selection, questions: usize, tags: &[String]) -> String {
    if selection.only.is_empty() {
        let questions = counted(questions, "question");
        format!("The set has {questions}; --split dev|test|all chooses the split")
    } else {
        let tags = tags.join(", ");
        format!(
            "--only takes the id of a question or one of the tags {tags}; --split dev|test|all \
             chooses the split"
        )
    }
}

fn first_reason(first: Option<&LeftOut>) -> String {
    first.map_or(String::new(), |entry| {
        format!("; the first reason: line {}: {}", entry.line, entry.reason)
    })
}
