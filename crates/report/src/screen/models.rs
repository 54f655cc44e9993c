//! `fiel models`

use fiel_record::ModelRow;

use crate::file_size;

/// One line per model.
pub fn models_screen(rows: &[ModelRow]) -> String {
    let line = |row: &ModelRow| {
        let place = match (&row.place, &row.path) {
            (Some(place), Some(path)) => format!(" in {place}: {path}"),
            // The registry has neither size nor SHA-256 of its files.
            _ if row.bytes.is_none() => "; the first fetch is trusted".to_owned(),
            _ => String::new(),
        };
        format!(
            "{:<38} {:<16} {:>9} {:<11} {}{place}\n",
            row.id,
            row.task.as_deref().unwrap_or("-"),
            row.bytes.map_or_else(|| "-".to_owned(), file_size),
            row.licence,
            row.check,
        )
    };
    rows.iter().map(line).collect()
}
