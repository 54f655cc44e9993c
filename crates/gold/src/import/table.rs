use std::{collections::BTreeMap, path::Path};

use serde_json::{Deserializer, Map, Value};

use super::beir::read;
use crate::Error;

/// One object of a file: its line and its columns, their names lower case without `_`, `-` and
/// blanks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub line: usize,
    pub columns: BTreeMap<String, Value>,
}

/// A row, or the line that is none and why.
pub(super) type ReadRow = Result<Row, (usize, String)>;

/// The objects of a JSON array (or of the only array of a JSON object), of JSON lines, or of CSV
/// or TSV with a header, told apart by the extension and the first character.
pub(super) fn table(path: &Path) -> Result<Vec<ReadRow>, Error> {
    let text = read(path)?;
    let text = text.trim_start_matches('\u{feff}');
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok(separated(text, ',')),
        Some("tsv") => Ok(separated(text, '\t')),
        _ if text.trim_start().starts_with('[') => {
            Ok(array(text, text.len() - text.trim_start().len()))
        }
        _ if is_lines(text) => Ok(json_lines(text)),
        _ => in_object(text).ok_or_else(|| Error::Import {
            path: path.to_owned(),
            message: "it is no JSON array of objects, no JSON lines, and its name ends in neither \
                      .csv nor .tsv"
                .into(),
        }),
    }
}

fn row(line: usize, value: Value) -> ReadRow {
    let Value::Object(object) = value else {
        return Err((line, "no JSON object".into()));
    };
    let columns = object
        .into_iter()
        .map(|(name, value)| (plain(&name), value));
    Ok(Row {
        line,
        columns: columns.collect(),
    })
}

/// `relevant_ids`, `relevantIds` and `Relevant IDs` are one name.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether the first line is an object of its own, and not one that only holds the rows.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    serde_json::from_str::<Map<String, Value>>(first)
        .is_ok_and(|object| lines.next().is_some() || !object.values().any(is_array_of_objects))
}

fn is_array_of_objects(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|a| a.first().is_some_and(Value::is_object))
}

fn json_lines(text: &str) -> Vec<ReadRow> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| match serde_json::from_str(line) {
            Ok(value) => row(at + 1, value),
            Err(e) => Err((at + 1, format!("no JSON object: {e}"))),
        })
        .collect()
}

/// The elements of the array that begins at `start`, read one by one so that each has its line.
fn array(text: &str, start: usize) -> Vec<ReadRow> {
    let mut out = Vec::new();
    let mut at = start + 1;
    loop {
        let rest = &text[at..];
        at += rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_whitespace() || c == ',')
                .len();
        if text[at..].is_empty() || text[at..].starts_with(']') {
            return out;
        }
        let line = 1 + text[..at].matches('\n').count();
        let mut stream = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at += stream.byte_offset();
                out.push(row(line, value));
            }
            Some(Err(e)) => {
                out.push(Err((line, format!("the JSON breaks off here: {e}"))));
                return out;
            }
            None => return out,
        }
    }
}

/// The rows of the first array of objects in an object: `{"questions": [...]}`.
fn in_object(text: &str) -> Option<Vec<ReadRow>> {
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    let (name, _) = object.iter().find(|(_, v)| is_array_of_objects(v))?;
    let key = text.find(&format!("\"{name}\""))?;
    Some(array(text, key + text[key..].find('[')?))
}

/// RFC 4180: fields in quotation marks may hold the separator, line ends and doubled marks.
fn separated(text: &str, separator: char) -> Vec<ReadRow> {
    let mut records = records(text, separator).into_iter();
    let Some((_, header)) = records.next() else {
        return Vec::new();
    };
    let header: Vec<String> = header.iter().map(|name| plain(name)).collect();
    records
        .map(|(line, fields)| {
            if fields.len() != header.len() {
                let reason = format!("{} columns; the header has {}", fields.len(), header.len());
                return Err((line, reason));
            }
            let fields = fields.into_iter().map(Value::String);
            Ok(Row {
                line,
                columns: header.iter().cloned().zip(fields).collect(),
            })
        })
        .collect()
}

/// Records that are not blank, each with the line it begins at.
fn records(text: &str, separator: char) -> Vec<(usize, Vec<String>)> {
    let mut out = Vec::new();
    let mut fields = vec![String::new()];
    let (mut line, mut start, mut quoted) = (1, 1, false);
    let mut chars = text.chars().peekable();
    let mut close = |fields: &mut Vec<String>, start| {
        let done = std::mem::replace(fields, vec![String::new()]);
        if done.iter().any(|f| !f.trim().is_empty()) {
            out.push((start, done));
        }
    };
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        let Some(field) = fields.last_mut() else {
            break;
        };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted || field.is_empty() => quoted = !quoted,
            c if quoted => field.push(c),
            c if c == separator => fields.push(String::new()),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                close(&mut fields, start);
                start = line;
            }
            c => field.push(c),
        }
    }
    close(&mut fields, start);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> Vec<ReadRow> {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        table(&path).expect("a table")
    }

    fn lines(rows: &[ReadRow]) -> Vec<usize> {
        let line = |row: &ReadRow| row.as_ref().map_or_else(|e| e.0, |r| r.line);
        rows.iter().map(line).collect()
    }

    #[test]
    fn json_in_its_three_forms_keeps_its_lines() {
        let array = of(
            "a.json",
            "[\n {\"Chunk_ID\": 1},\n\n {\"chunkId\":\n 2}, 3]",
        );
        assert_eq!(lines(&array), [2, 4, 5]);
        assert!(
            array[0]
                .as_ref()
                .expect("a row")
                .columns
                .contains_key("chunkid")
        );
        assert!(array[2].is_err());
        let object = of(
            "a.json",
            "{\"v\": [1],\n \"items\": [\n{\"q\": 1}, {\"q\": 2}]}",
        );
        assert_eq!(lines(&object), [3, 3]);
        let jsonl = of("a.jsonl", "{\"q\": 1}\n\nbroken\n{\"q\": 2}\n");
        assert_eq!(lines(&jsonl), [1, 3, 4]);
        assert!(jsonl[1].is_err());
        assert_eq!(lines(&of("a.jsonl", "{\"q\": [1]}")), [1]);
        assert_eq!(lines(&of("a.json", "[{\"q\": 1}, {\"q\"")), [1, 1]);
    }

    #[test]
    fn csv_with_quotes_and_line_ends() {
        let rows = of(
            "a.csv",
            "q,A n\r\n\"x, \"\"y\"\"\nz\",1\r\n\r\nshort\nlast,2",
        );
        assert_eq!(lines(&rows), [2, 5, 6]);
        let first = &rows[0].as_ref().expect("a row").columns;
        assert_eq!(first["q"], "x, \"y\"\nz");
        assert_eq!(first["an"], "1");
        assert_eq!(rows[1], Err((5, "1 columns; the header has 2".into())));
        assert_eq!(lines(&of("a.tsv", "q\ta\n1\t\"\"\n")), [2]);
        assert!(of("a.csv", "").is_empty());
    }
}
