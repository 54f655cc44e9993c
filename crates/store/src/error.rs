//! Errors of the crate.

use std::{
    io,
    path::{Path, PathBuf},
};

/// A file that cannot be read or written, or that has unexpected contents.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// A text file is not UTF-8.
    #[error("{}:{line}: not valid UTF-8 (byte {byte} of the file is 0x{value:02X}). Convert the file, for example with `iconv -f latin1 -t utf-8`", path.display())]
    NotUtf8 { path: PathBuf, line: usize, byte: usize, value: u8 },
    /// A text file is not in the encoding that it declares, or is no text.
    #[error("{}: {problem}. Convert the file to UTF-8", path.display())]
    Encoding { path: PathBuf, problem: String },
    /// A stored file is damaged, or has another schema or version.
    #[error("{}: {problem}. The file is generated: delete it or run `fiel clean`, and Fiel writes it again", path.display())]
    Stored { path: PathBuf, problem: String },
}

impl Error {
    /// A file or folder that cannot be read or written.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// A fault in the payload of a stored file.
    pub fn stored(path: &Path, problem: impl ToString) -> Self {
        Self::Stored { path: path.to_owned(), problem: problem.to_string() }
    }
}
