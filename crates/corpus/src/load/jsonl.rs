//! JSON Lines: one document per line.

use std::{collections::BTreeMap, path::Path};

use fiel_store::json_lines;
use serde::Deserialize;
use serde_json::Value;

use super::Faults;
use crate::{Document, Error};

/// A line, with the field names of BEIR (`_id`, `title`, `text`) or of Anserini (`id`,
/// `contents`).
#[derive(Deserialize)]
struct JsonlDocument {
    #[serde(rename = "_id")]
    beir_id: Option<Value>,
    id: Option<Value>,
    title: Option<String>,
    text: Option<String>,
    contents: Option<String>,
}

/// The documents of a `.jsonl` file: plain texts with the ids `stem/id`.
pub(super) fn documents(path: &Path, stem: &str, file: &str, faults: &mut Faults) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (line, row) in json_lines::<JsonlDocument>(file) {
        let parsed = row.map_err(|e| e.to_string()).and_then(fields);
        match parsed.and_then(|(id, title, text)| match lines.insert(id.clone(), line) {
            Some(first) => Err(format!("line {first} has the same id `{id}`")),
            None => Ok(Document::titled(&format!("{stem}/{id}"), &title, &text)),
        }) {
            Ok(document) => documents.push(document),
            Err(problem) => {
                faults.bad.push(Error::BadLine { path: path.to_owned(), line, problem });
            }
        }
    }
    documents
}

/// Id, title and text of a line, or what is wrong with it.
fn fields(row: JsonlDocument) -> Result<(String, String, String), String> {
    let id = match row.beir_id.or(row.id) {
        Some(Value::String(id)) => id,
        Some(Value::Number(id)) => id.to_string(),
        Some(_) => return Err("the id is neither a string nor a number".to_owned()),
        None => return Err("`_id` and `id` are missing".to_owned()),
    };
    if id.trim().is_empty() {
        return Err("the id is empty".to_owned());
    }
    let Some(text) = row.text.or(row.contents) else {
        return Err("`text` and `contents` are missing".to_owned());
    };
    Ok((id, row.title.unwrap_or_default(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(file: &str) -> Result<Vec<Document>, String> {
        let mut faults = Faults::default();
        let documents = documents(Path::new("c.jsonl"), "c", file, &mut faults);
        faults.bad.first().map_or(Ok(documents), |error| Err(error.to_string()))
    }

    #[test]
    fn both_families_of_names_are_read() {
        let file = "\u{feff}{\"_id\": \"a/1\", \"title\": \"T\", \"text\": \"X.\", \"metadata\": {}}\r\n\n\
                    {\"id\": 7, \"contents\": \"Y.\", \"title\": null}\n";
        let docs = load(file).expect("loads");
        let seen: Vec<_> =
            docs.iter().map(|d| (d.id.as_str(), d.title.as_str(), d.text.as_str())).collect();
        assert_eq!(seen, [("c/a/1", "T", "X."), ("c/7", "", "Y.")]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let good = "{\"_id\": \"1\", \"text\": \"X.\"}\n";
        for (line, expected) in [
            ("{\"_id\": \"2\", \"text\": ", "c.jsonl:2: EOF while parsing a value at column 21"),
            ("[1]", "c.jsonl:2: "),
            ("{\"text\": \"x\"}", "`_id` and `id` are missing"),
            ("{\"_id\": \"2\"}", "`text` and `contents` are missing"),
            ("{\"_id\": [], \"text\": \"x\"}", "neither a string nor a number"),
            ("{\"_id\": \" \", \"text\": \"x\"}", "the id is empty"),
            ("{\"_id\": \"1\", \"text\": \"x\"}", "c.jsonl:2: line 1 has the same id `1`"),
            ("{\"_id\": \"2\", \"text\": 3}", "c.jsonl:2: invalid type"),
        ] {
            let error = load(&format!("{good}{line}\n")).expect_err(line);
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
