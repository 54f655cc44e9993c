//! JSON Lines: one JSON value per line.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::{Error, read_text};

/// A line that is not the expected JSON value. The message ends with the column, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl From<serde_json::Error> for LineError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        // The parser sees one line, so its "line 1" misleads.
        match text.rsplit_once(" at line ") {
            Some((message, _)) if error.line() > 0 => {
                Self(format!("{message} at column {}", error.column()))
            }
            _ => Self(text),
        }
    }
}

/// The values of a text in JSON Lines, each with its line number from 1. Skips blank lines and a
/// byte order mark; the last line needs no line feed.
pub fn json_lines<T: DeserializeOwned>(text: &str) -> impl Iterator<Item = NumberedLine<T>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..)
        .zip(text.lines())
        .filter(|(_, json)| !json.trim().is_empty())
        .map(|(line, json)| (line, serde_json::from_str(json).map_err(LineError::from)))
}

/// The number of a line, from 1, and its value.
pub type NumberedLine<T> = (usize, Result<T, LineError>);

/// The values of a file in JSON Lines; see [`json_lines`].
///
/// # Errors
/// As [`read_text`]. A faulty line is not an error here.
pub fn read_json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<NumberedLine<T>>, Error> {
    Ok(json_lines(&read_text(path)?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_faults_name_the_column() {
        let text = "\u{feff}[1, 2]\r\n\n  \n[1,\n{}\n[3]";
        let lines: Vec<(usize, Result<Vec<u32>, String>)> = json_lines(text)
            .map(|(line, value)| (line, value.map_err(|e| e.to_string())))
            .collect();
        assert_eq!(lines[0], (1, Ok(vec![1, 2])));
        assert_eq!(lines[1], (4, Err("EOF while parsing a value at column 3".to_owned())));
        assert_eq!(
            lines[2],
            (5, Err("invalid type: map, expected a sequence at column 0".to_owned()))
        );
        assert_eq!(lines[3], (6, Ok(vec![3])));
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn a_file_that_is_not_utf8_is_refused_with_its_line() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        std::fs::write(file.path(), b"1\n2\n\"\xe9\"\n").expect("written");
        let error = read_json_lines::<u32>(file.path()).expect_err("not UTF-8");
        assert!(error.to_string().contains(":3: not valid UTF-8"), "{error}");
    }
}
