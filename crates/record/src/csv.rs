//! Comma-separated values as RFC 4180 has them, lines ended by a line feed.

use crate::{QuestionRecord, Table, table::cell};

/// Appends one row; cells with commas, quotes or line ends are quoted.
pub(crate) fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push('\n');
}

/// The rows that are not blank, each with the line it starts on, from 1.
pub(crate) fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut rows = Vec::new();
    let mut chars = text.chars().peekable();
    let (mut line, mut start) = (1, 1);
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            c if quoted => cell.push(c),
            ',' => cells.push(std::mem::take(&mut cell)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                if !(cells.is_empty() && cell.is_empty()) {
                    cells.push(std::mem::take(&mut cell));
                    rows.push((start, std::mem::take(&mut cells)));
                }
                start = line;
            }
            c => cell.push(c),
        }
    }
    if quoted {
        return Err(format!("line {start}: a quoted cell does not end"));
    }
    if !(cells.is_empty() && cell.is_empty()) {
        cells.push(cell);
        rows.push((start, cells));
    }
    Ok(rows)
}

/// A row a question: what it is, what came of it, and every measure.
pub fn questions_csv(records: &[QuestionRecord]) -> String {
    let table = Table::of(records);
    let mut out = String::new();
    let about = [
        "id",
        "question",
        "lang",
        "split",
        "tags",
        "unanswerable",
        "wanted",
        "answer",
        "abstained",
        "class",
        "marks",
    ];
    let names = table.columns.keys().map(ToString::to_string);
    row(&mut out, about.map(str::to_owned).into_iter().chain(names));
    for (at, r) in records.iter().enumerate() {
        let e2e = r.e2e.as_ref().filter(|read| read.error.is_none());
        let marks: Vec<String> = r.marks.iter().map(ToString::to_string).collect();
        let about = [
            r.id.clone(),
            r.question.clone(),
            r.lang.clone(),
            r.split.clone(),
            r.tags.join(" "),
            r.unanswerable.to_string(),
            r.references.first().cloned().unwrap_or_default(),
            e2e.map(|read| read.answer.clone()).unwrap_or_default(),
            e2e.map(|read| read.abstained.to_string())
                .unwrap_or_default(),
            r.class.map(|class| class.to_string()).unwrap_or_default(),
            marks.join("; "),
        ];
        let values = table.columns.values().map(|values| cell(values[at]));
        row(&mut out, about.into_iter().chain(values));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_may_hold_anything() {
        let mut out = String::new();
        let cells = ["a,b", "c\"d", "e\nf", "", "g"].map(str::to_owned);
        row(&mut out, cells.clone().into_iter());
        assert_eq!(out, "\"a,b\",\"c\"\"d\",\"e\nf\",,g\n");
        assert_eq!(rows(&out), Ok(vec![(1, cells.to_vec())]));
        let crlf = rows("x,y\r\n\r\n1,\"2\r\n3\"\r\n").expect("rows");
        assert_eq!(crlf[1], (3, vec!["1".to_owned(), "2\r\n3".to_owned()]));
    }
}
