//! JSON Lines whose faults are listed together.

use std::path::Path;

use fiel_gold::GoldFault;
use fiel_store::json_lines;
use serde::de::DeserializeOwned;

use crate::Error;

/// Parses every line of a file with `parse`, which skips a line by `None` and describes a fault by
/// `Err`.
///
/// # Errors
/// [`Error::Gold`] with every faulty line.
pub(crate) fn parse_lines<T: DeserializeOwned, U>(
    path: &Path,
    text: &str,
    mut parse: impl FnMut(usize, T) -> Result<Option<U>, String>,
) -> Result<Vec<U>, Error> {
    let (mut values, mut faults) = (Vec::new(), Vec::new());
    for (line, fields) in json_lines(text) {
        match fields.map_err(|e| e.to_string()).and_then(|fields| parse(line, fields)) {
            Ok(value) => values.extend(value),
            Err(message) => faults.push(GoldFault { line, question: None, message }),
        }
    }
    if faults.is_empty() {
        Ok(values)
    } else {
        Err(fiel_gold::Error::Gold { path: path.to_owned(), faults }.into())
    }
}

/// The error for a file without any value.
pub(crate) fn empty_file(path: &Path, message: &str) -> Error {
    let fault = GoldFault { line: 1, question: None, message: message.to_owned() };
    fiel_gold::Error::Gold { path: path.to_owned(), faults: vec![fault] }.into()
}
