//! Stored files: digests, atomic writes, files with a versioned header, JSON Lines, CSV, and the
//! folders below `.fiel/`.
//!
//! A stored file begins with one line of JSON that names its schema, its version and the SHA-256
//! of the payload that follows. [`read_stored`] refuses a file with another schema or version, or
//! with a payload that does not match the checksum, so a damaged or outdated cache is never used.
//!
//! ```
//! use fiel_store::{json_lines, read_stored, write_stored};
//!
//! let dir = tempfile::tempdir()?;
//! let path = dir.path().join("cache/answer.json");
//! assert_eq!(read_stored(&path, "example.answer", 1)?, None);
//!
//! write_stored(&path, "example.answer", 1, b"eaten")?;
//! assert_eq!(read_stored(&path, "example.answer", 1)?.as_deref(), Some(&b"eaten"[..]));
//! let error = read_stored(&path, "example.answer", 2).expect_err("another version");
//! assert!(error.to_string().contains("expected example.answer version 2"));
//!
//! let lines: Vec<(usize, u32)> = json_lines("1\n\n2\n")
//!     .map(|(line, value)| Ok((line, value?)))
//!     .collect::<Result<_, fiel_store::LineError>>()?;
//! assert_eq!(lines, [(1, 1), (3, 2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod digest;
mod error;
mod file;
mod folders;
mod header;
mod lines;
mod lock;

pub use csv::{UnclosedQuote, csv_rows, csv_text, tsv_rows};
pub use digest::{sha256_file, sha256_hex};
pub use error::Error;
pub use file::{FolderSize, decode, folder_size, read_optional_text, read_text, write_atomic};
pub use folders::{GENERATED, GeneratedFolder};
pub use header::{read_stored, write_stored};
pub use lines::{LineError, NumberedLine, json_cause, json_lines, read_json_lines};
pub use lock::FileLock;
