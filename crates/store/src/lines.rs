//! JSON Lines: one JSON value per line.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::{Error, read_text};

/// A line that is not the expected JSON value. The message ends with the column, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    /// The error of a line, with the cause where Python writes what is not JSON.
    fn new(line: &str, error: &serde_json::Error) -> Self {
        json_cause(line, error).map_or_else(|| Self::from(error), Self)
    }
}

/// What is wrong in a JSON text that Python writes and that is not JSON: `NaN`, `Infinity`, half a
/// surrogate pair. Names the field. `None` for any other error.
pub fn json_cause(json: &str, error: &serde_json::Error) -> Option<String> {
    let start: usize = json.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
    let mut at = (start + error.column()).min(json.len());
    while !json.is_char_boundary(at) {
        at -= 1;
    }
    let before = &json[..at];
    let token = before.rfind(|c: char| ":,[ \t\n".contains(c)).map_or(0, |at| at + 1);
    let words = ["NaN", "-Infinity", "Infinity"];
    let word = words.into_iter().find(|word| json[token..].starts_with(word));
    let cause = if let Some(word) = word {
        format!("is {word}, which is not JSON; write null or a number")
    } else if error.to_string().contains("surrogate") || error.to_string().contains("hex escape") {
        let escape = before.rfind("\\u").filter(|_| has_lone_surrogate(json))?;
        let escape: String = json[escape..].chars().take(6).collect();
        format!("has half a surrogate pair near `{escape}`; write the whole character")
    } else {
        return None;
    };
    Some(format!("{} {cause}", field_before(before)))
}

/// Whether a text escapes a high surrogate without the low one that must follow, or the reverse.
fn has_lone_surrogate(json: &str) -> bool {
    let code = |at: usize| u32::from_str_radix(json.get(at + 2..at + 6)?, 16).ok();
    let codes: Vec<(usize, u32)> =
        json.match_indices("\\u").filter_map(|(at, _)| Some((at, code(at)?))).collect();
    let is_high = |code: u32| (0xd800..0xdc00).contains(&code);
    let is_low = |code: u32| (0xdc00..0xe000).contains(&code);
    codes.iter().enumerate().any(|(i, &(at, code))| {
        let next = codes.get(i + 1).is_some_and(|&(next, low)| next == at + 6 && is_low(low));
        let before = i.checked_sub(1).map(|i| codes[i]);
        let follows = before.is_some_and(|(before, high)| before + 6 == at && is_high(high));
        is_high(code) && !next || is_low(code) && !follows
    })
}

/// The name of the last field that begins before the end of a text, in backticks.
fn field_before(text: &str) -> String {
    let name = text.rfind("\":").or_else(|| text.rfind("\" :")).and_then(|end| {
        let start = text[..end].rfind('"')?;
        Some(&text[start + 1..end])
    });
    name.map_or("a value".to_owned(), |name| format!("`{name}`"))
}

impl From<&serde_json::Error> for LineError {
    fn from(error: &serde_json::Error) -> Self {
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
    (1..).zip(text.lines()).filter(|(_, json)| !json.trim().is_empty()).map(|(line, json)| {
        (line, serde_json::from_str(json).map_err(|e| LineError::new(json, &e)))
    })
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
    fn what_only_python_writes_is_named_with_its_field() {
        for (json, expected) in [
            (r#"{"id": "a", "answer": NaN}"#, "`answer` is NaN, which is not JSON"),
            (r#"{"score": -Infinity, "b": 1}"#, "`score` is -Infinity"),
            (r#"{"list": [1, Infinity]}"#, "`list` is Infinity"),
            (
                r#"{"text": "at nine \ud83d", "b": 1}"#,
                r"`text` has half a surrogate pair near `\ud83d`",
            ),
            (r#"{"text": "\ude00 x"}"#, "`text` has half a surrogate pair"),
            (r#"{"text": "\ud83dx"}"#, "`text` has half a surrogate pair"),
        ] {
            let (line, value) = json_lines::<serde_json::Value>(json).next().expect("a line");
            let error = value.expect_err(json).to_string();
            assert_eq!(line, 1);
            assert!(error.contains(expected), "{error}");
        }
        let (_, value) =
            json_lines::<serde_json::Value>(r#""\ud83d\ude00""#).next().expect("a line");
        assert_eq!(value, Ok("😀".into()));
    }

    #[test]
    fn a_file_that_is_not_utf8_is_refused_with_its_line() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        std::fs::write(file.path(), b"1\n2\n\"\xe9\"\n").expect("written");
        let error = read_json_lines::<u32>(file.path()).expect_err("not UTF-8");
        assert!(error.to_string().contains(":3: not valid UTF-8"), "{error}");
    }
}
