//! Errors of the crate.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// An error in a knowledge base.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// The folder does not exist or is not a folder.
    #[error(
        "{}: no such knowledge base. Give a folder of Markdown, text, HTML, PDF or JSONL files with \
         --kb or with `kb` in fiel.toml",
        path.display()
    )]
    NoKnowledgeBase { path: PathBuf },
    /// The folder has no documents, or none with any text.
    #[error(
        "{}: the knowledge base is empty: found {files} .md, .txt, .html, .pdf or .jsonl files, \
         none with any text",
        path.display()
    )]
    EmptyKnowledgeBase { path: PathBuf, files: usize },
    /// The text of a file cannot be extracted, or `kb.toml` is not valid.
    #[error("{}: {problem}", path.display())]
    Unreadable { path: PathBuf, problem: String },
    /// A line of a JSONL file is not a document.
    #[error(
        "{}:{line}: {problem}. Expected an object with `_id` or `id`, `text` or `contents`, and \
         optionally `title`",
        path.display()
    )]
    BadLine { path: PathBuf, line: usize, problem: String },
    /// Files cannot be read, or lines of one.
    #[error("{}", several(path, problems))]
    Several { path: PathBuf, problems: Vec<Error> },
    /// Two files have the same document id.
    #[error("{} and {}: both have the document id `{id}`. Rename one of them", first.display(), second.display())]
    DuplicateDocument { id: String, first: PathBuf, second: PathBuf },
    /// Chunk size and overlap with which chunking would not advance.
    #[error(
        "chunk.size is {size} and chunk.overlap is {overlap}: the size must be at least 8 and the overlap smaller than the size"
    )]
    BadChunking { size: usize, overlap: usize },
    /// A file or folder cannot be read, or is not UTF-8.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
}

/// The number of problems that a message shows.
const SHOWN: usize = 20;

fn several(path: &Path, problems: &[Error]) -> String {
    let (count, list) = (problems.len(), list(problems));
    match problems {
        [problem] => format!("{problem}\nUse the other documents with --skip-bad"),
        _ => format!(
            "{}: {count} files or lines cannot be read:\n{list}\nCorrect them, or use the rest with \
             --skip-bad",
            path.display()
        ),
    }
}

fn list(problems: &[Error]) -> String {
    let mut lines: Vec<String> =
        problems.iter().take(SHOWN).map(|problem| format!("  {problem}")).collect();
    if problems.len() > SHOWN {
        lines.push(format!("  … and {} more", problems.len() - SHOWN));
    }
    lines.join("\n")
}

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        fiel_store::Error::io(path, source).into()
    }
}
