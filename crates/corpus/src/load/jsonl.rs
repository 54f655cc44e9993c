use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use serde_json::Value;

use super::is_id;
use crate::{Document, Error};

/// A line, with the names of BEIR (`_id`, `title`, `text`) or of Anserini (`id`, `contents`).
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "_id")]
    beir_id: Option<Value>,
    id: Option<Value>,
    title: Option<String>,
    text: Option<String>,
    contents: Option<String>,
}

/// `.jsonl`: a plain text a line, its id behind that of the file.
pub(super) fn documents(path: &Path, stem: &str, file: &str) -> Result<Vec<Document>, Error> {
    let mut out = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    for (line, row) in (1..).zip(file.lines()) {
        if row.trim().is_empty() {
            continue;
        }
        let bad = |problem: String| Error::BadLine {
            path: path.to_owned(),
            line,
            problem,
        };
        let (id, title, text) = read(row).map_err(bad)?;
        if let Some(first) = lines.insert(id.clone(), line) {
            return Err(bad(format!("the id `{id}` is that of line {first}, too")));
        }
        out.push(Document::titled(&format!("{stem}/{id}"), &title, &text));
    }
    Ok(out)
}

/// Id, title and text of a line, or what is wrong with it.
fn read(row: &str) -> Result<(String, String, String), String> {
    let row: Row = serde_json::from_str(row).map_err(|e| {
        let said = e.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        format!("column {}: {said}", e.column())
    })?;
    let id = match row.beir_id.or(row.id) {
        Some(Value::String(id)) => id,
        Some(Value::Number(id)) => id.to_string(),
        Some(_) => return Err("its id is neither a text nor a number".to_owned()),
        None => return Err("it has no `_id` and no `id`".to_owned()),
    };
    if id.trim().is_empty() {
        return Err("its id is empty".to_owned());
    }
    if !is_id(&id) {
        return Err(format!(
            "the id `{id}` may not contain `#`, `[`, `]`, `,` or `;`"
        ));
    }
    let Some(text) = row.text.or(row.contents) else {
        return Err("it has no `text` and no `contents`".to_owned());
    };
    Ok((id, row.title.unwrap_or_default(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(file: &str) -> Result<Vec<Document>, String> {
        documents(Path::new("c.jsonl"), "c", file).map_err(|e| e.to_string())
    }

    #[test]
    fn both_families_of_names_are_read() {
        let file = "\u{feff}{\"_id\": \"a/1\", \"title\": \"T\", \"text\": \"X.\", \"metadata\": {}}\r\n\n\
                    {\"id\": 7, \"contents\": \"Y.\", \"title\": null}\n";
        let docs = load(file).expect("loads");
        let seen: Vec<_> = docs
            .iter()
            .map(|d| (d.id.as_str(), d.title.as_str(), d.text.as_str()))
            .collect();
        assert_eq!(seen, [("c/a/1", "T", "X."), ("c/7", "", "Y.")]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let good = "{\"_id\": \"1\", \"text\": \"X.\"}\n";
        for (line, said) in [
            ("{\"_id\": \"2\", \"text\": ", "c.jsonl:2: column 21: EOF"),
            ("[1]", "c.jsonl:2: column"),
            ("{\"text\": \"x\"}", "it has no `_id` and no `id`"),
            ("{\"_id\": \"2\"}", "it has no `text` and no `contents`"),
            (
                "{\"_id\": [], \"text\": \"x\"}",
                "neither a text nor a number",
            ),
            ("{\"_id\": \" \", \"text\": \"x\"}", "its id is empty"),
            (
                "{\"_id\": \"a#1\", \"text\": \"x\"}",
                "c.jsonl:2: the id `a#1` may not",
            ),
            (
                "{\"_id\": \"1\", \"text\": \"x\"}",
                "c.jsonl:2: the id `1` is that of line 1, too",
            ),
            (
                "{\"_id\": \"2\", \"text\": 3}",
                "c.jsonl:2: column 22: invalid type",
            ),
        ] {
            let error = load(&format!("{good}{line}\n")).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
