//! Tables in JSON, JSON Lines, CSV or TSV.

use std::{collections::BTreeMap, path::Path};

use fiel_record::counted;
use fiel_store::{csv_rows, json_cause, json_lines, read_text, tsv_rows};
use serde_json::{Deserializer, Map, Value};

use crate::Error;

/// One object of a file: its line and its columns. The names of the columns are lower case,
/// without `_`, `-` and spaces.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub line: usize,
    pub columns: BTreeMap<String, Value>,
}

/// A row, or the line of a faulty row and the reason.
pub(super) type ReadRow = Result<Row, (usize, String)>;

/// The objects of a JSON array (or of the only array in a JSON object), of JSON Lines, or of CSV
/// or TSV with a header. The extension and the first character decide which.
///
/// # Errors
/// [`Error::Format`] if the format is unknown or a quoted cell has no end; [`Error::Store`] if the
/// file cannot be read.
pub(super) fn table(path: &Path) -> Result<Vec<ReadRow>, Error> {
    let text = read_text(path)?;
    let text = text.trim_start_matches('\u{feff}');
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => {
            let (text, separator) = csv_separator(text);
            let records = csv_rows(text, separator).map_err(|e| Error::Format {
                path: path.to_owned(),
                problem: e.to_string(),
                expected: "CSV",
            })?;
            Ok(separated(records))
        }
        Some("tsv") => Ok(separated(tsv_rows(text))),
        _ if text.trim_start().starts_with('[') => {
            Ok(array(text, text.len() - text.trim_start().len()))
        }
        _ if is_lines(text) => Ok(objects(text)),
        _ => in_object(text).ok_or_else(|| Error::Format {
            path: path.to_owned(),
            problem: "unrecognised format".to_owned(),
            expected: "a JSON array of objects, JSON Lines, .csv or .tsv",
        }),
    }
}

fn row(line: usize, value: Value) -> ReadRow {
    let Value::Object(object) = value else {
        return Err((line, "not a JSON object".into()));
    };
    let columns = object.into_iter().map(|(name, value)| (plain(&name), value));
    Ok(Row { line, columns: columns.collect() })
}

/// `relevant_ids`, `relevantIds` and `Relevant IDs` are one name.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether the first line is a row, and not an object that contains the rows.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    serde_json::from_str::<Map<String, Value>>(first)
        .is_ok_and(|object| lines.next().is_some() || !object.values().any(is_array_of_objects))
}

fn is_array_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|a| a.first().is_some_and(Value::is_object))
}

fn objects(text: &str) -> Vec<ReadRow> {
    json_lines(text)
        .map(|(line, value)| match value {
            Ok(value) => row(line, value),
            Err(e) => Err((line, format!("not a JSON object: {e}"))),
        })
        .collect()
}

/// The elements of the array that begins at `start`, parsed one by one to get the line of each.
fn array(text: &str, start: usize) -> Vec<ReadRow> {
    let mut out = Vec::new();
    let mut at = start + 1;
    let (mut line, mut counted) = (1, 0);
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        if text[at..].is_empty() || text[at..].starts_with(']') {
            return out;
        }
        line += text[counted..at].matches('\n').count();
        counted = at;
        let mut stream = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at += stream.byte_offset();
                out.push(row(line, value));
            }
            Some(Err(e)) => {
                let problem = json_cause(&text[at..], &e).unwrap_or_else(|| e.to_string());
                // The next element is read if this one has an end.
                match element_end(&text[at..]) {
                    Some(end) => {
                        out.push(Err((line, problem)));
                        at += end;
                    }
                    None => {
                        out.push(Err((line, format!("the JSON breaks off here: {problem}"))));
                        return out;
                    }
                }
            }
            None => return out,
        }
    }
}

/// Length of the element at the start of a text, up to the comma or bracket after it. `None` if it
/// has no end.
fn element_end(text: &str) -> Option<usize> {
    let (mut depth, mut is_string) = (0_usize, false);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if is_string => {
                bytes.next();
            }
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => depth += 1,
            b',' | b']' if depth == 0 => return Some(at),
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The text and its separator: that of a first line `sep=;` as Excel writes it, else the one of `,`,
/// `;` and tab that the header has most often.
fn csv_separator(text: &str) -> (&str, u8) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(separator) = first.trim_end_matches('\r').strip_prefix("sep=")
        && let [byte] = separator.as_bytes()
    {
        return (rest, *byte);
    }
    let count = |separator: u8| {
        let mut is_quoted = false;
        let outside = first.bytes().filter(|byte| {
            is_quoted ^= *byte == b'"';
            !is_quoted && *byte == separator
        });
        outside.count()
    };
    // The first of the most frequent, so a header of one column is CSV.
    let most = [b',', b';', b'\t'].into_iter().rev().max_by_key(|separator| count(*separator));
    (text, most.unwrap_or(b','))
}

/// The rows of the first array of objects in an object: `{"questions": [...]}`.
fn in_object(text: &str) -> Option<Vec<ReadRow>> {
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    let (name, _) = object.iter().find(|(_, v)| is_array_of_objects(v))?;
    let key = text.find(&format!("\"{name}\""))?;
    Some(array(text, key + text[key..].find('[')?))
}

/// The rows of CSV or TSV; blank ones are skipped.
fn separated(mut records: Vec<(usize, Vec<String>)>) -> Vec<ReadRow> {
    records.retain(|(_, fields)| fields.iter().any(|field| !field.trim().is_empty()));
    let mut records = records.into_iter();
    let Some((_, header)) = records.next() else {
        return Vec::new();
    };
    let header: Vec<String> = header.iter().map(|name| plain(name)).collect();
    let rows = records.map(|(line, fields)| {
        if fields.len() != header.len() {
            let found = counted(fields.len(), "column");
            return Err((line, format!("{found}; the header has {}", header.len())));
        }
        let fields = fields.into_iter().map(Value::String);
        Ok(Row { line, columns: header.iter().cloned().zip(fields).collect() })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Vec<ReadRow> {
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
        let array = read("a.json", "[\n {\"Chunk_ID\": 1},\n\n {\"chunkId\":\n 2}, 3]");
        assert_eq!(lines(&array), [2, 4, 5]);
        assert!(array[0].as_ref().expect("a row").columns.contains_key("chunkid"));
        assert!(array[2].is_err());
        let object = read("a.json", "{\"v\": [1],\n \"items\": [\n{\"q\": 1}, {\"q\": 2}]}");
        assert_eq!(lines(&object), [3, 3]);
        let jsonl = read("a.jsonl", "{\"q\": 1}\n\nbroken\n{\"q\": 2}\n");
        assert_eq!(lines(&jsonl), [1, 3, 4]);
        assert!(jsonl[1].is_err());
        assert_eq!(lines(&read("a.jsonl", "{\"q\": [1]}")), [1]);
        assert_eq!(lines(&read("a.json", "[{\"q\": 1}, {\"q\"")), [1, 1]);
        let python = read("a.json", "[{\"q\": NaN},\n{\"q\": \"\\ud83d\"},\n{\"q\": 2}]");
        assert_eq!(lines(&python), [1, 2, 3]);
        assert!(python[0].as_ref().expect_err("NaN").1.starts_with("`q` is NaN"));
        assert!(python[1].as_ref().expect_err("half").1.starts_with("`q` has half a surrogate"));
        assert!(python[2].is_ok());
    }

    #[test]
    fn csv_with_quotes_and_line_ends() {
        let rows = read("a.csv", "q,A n\r\n\"x, \"\"y\"\"\nz\",1\r\n\r\nshort\nlast,2");
        assert_eq!(lines(&rows), [2, 5, 6]);
        let first = &rows[0].as_ref().expect("a row").columns;
        assert_eq!(first["q"], "x, \"y\"\nz");
        assert_eq!(first["an"], "1");
        assert_eq!(rows[1], Err((5, "1 column; the header has 2".into())));
        assert!(read("a.csv", "").is_empty());
        for text in ["sep=;\nq;a\nx, y;1\n", "q;a\nx, y;1\n", "q\ta\n\"x, y\"\t1\n"] {
            let rows = read("a.csv", text);
            assert_eq!(rows[0].as_ref().expect("a row").columns["q"], "x, y", "{text}");
        }
        let tsv = read("a.tsv", "q\ta\n\"Go\" is\t1\n\"open\t2\n");
        assert_eq!(tsv[0].as_ref().expect("a row").columns["q"], "\"Go\" is");
        assert_eq!(tsv[1].as_ref().expect("a row").columns["q"], "\"open");
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("a.csv");
        std::fs::write(&path, "q,a\n\"x,1\n").expect("written");
        let message = table(&path).expect_err("unclosed").to_string();
        assert!(message.contains("line 2: a quoted cell"), "{message}");
    }
}
