use std::path::PathBuf;

use thiserror::Error;

/// An error in a knowledge base.
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
    /// The folder does not exist or is not a folder.
    #[error(
        "{}: no such knowledge base. Name a folder that holds Markdown, text, HTML, PDF or JSONL \
         files, by --kb or by `kb` in fiel.toml",
        path.display()
    )]
    NoKnowledgeBase {
        /// The folder that was asked for.
        path: PathBuf,
    },
    /// No document, or none with any text.
    #[error(
        "{}: the knowledge base is empty: {files} .md, .txt, .html, .pdf or .jsonl files, none \
         with any text",
        path.display()
    )]
    EmptyKnowledgeBase {
        /// The folder.
        path: PathBuf,
        /// Files found there.
        files: usize,
    },
    /// A document is not UTF-8.
    #[error(
        "{}: byte {offset} is not UTF-8. Convert the file, for example with \
         `iconv -f latin1 -t utf-8`",
        path.display()
    )]
    NotUtf8 {
        /// The document.
        path: PathBuf,
        /// First offending byte.
        offset: usize,
    },
    /// A file holds no text that can be read.
    #[error("{}: {problem}", path.display())]
    Unreadable {
        /// The document.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A line of a JSONL file is no document.
    #[error(
        "{}:{line}: {problem}. A line is an object with `_id` or `id`, `text` or `contents`, \
         and perhaps `title`",
        path.display()
    )]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Two files would have the same document id.
    #[error("{} and {}: both are the document `{id}`. Rename one", first.display(), second.display())]
    DuplicateDocument {
        /// The id they share.
        id: String,
        /// First file.
        first: PathBuf,
        /// Second file.
        second: PathBuf,
    },
    /// The name of a file cannot be a document id.
    #[error("{}: the name of a document may not contain `#`, `[`, `]`, `,` or `;`. Rename it", path.display())]
    BadName {
        /// The file.
        path: PathBuf,
    },
    /// `kb.toml` cannot be read.
    #[error("{}: {message}", path.display())]
    BadInfo {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        message: String,
    },
    /// A chunk overlap that would never advance.
    #[error(
        "chunk.overlap is {overlap} and chunk.size {size}: the overlap must be smaller than the size, and the size at least 8"
    )]
    BadChunking {
        /// Tokens a chunk may have.
        size: usize,
        /// Tokens repeated from the chunk before.
        overlap: usize,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
}

impl Error {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
