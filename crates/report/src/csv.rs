//! The questions of a run as CSV.

use fiel_record::{QuestionRecord, Table, csv_cell};
use fiel_store::csv_text;

/// Columns about the question and its end-to-end answer, before one column per measure.
const ABOUT: [&str; 11] = [
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

/// A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe
/// before it.
fn without_formula(cell: String) -> String {
    let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell }
}

/// One row per question: the question, its answer end to end, its class, and every measure.
pub fn questions_csv(records: &[QuestionRecord]) -> String {
    let table = Table::of(records);
    let names = table.columns.keys().map(ToString::to_string);
    let header: Vec<String> = ABOUT.map(str::to_owned).into_iter().chain(names).collect();
    let rows = records.iter().enumerate().map(|(at, r)| {
        let e2e = r.e2e.as_ref().filter(|read| read.error.is_none());
        let marks: Vec<String> = r.marks.iter().map(ToString::to_string).collect();
        let about: [String; ABOUT.len()] = [
            r.id.to_string(),
            r.question.clone(),
            r.lang.to_string(),
            r.split.to_string(),
            r.tags.join(" "),
            r.unanswerable.to_string(),
            r.references.first().cloned().unwrap_or_default(),
            e2e.map(|read| read.answer.clone()).unwrap_or_default(),
            e2e.map(|read| read.abstained.to_string()).unwrap_or_default(),
            r.class.map(|class| class.to_string()).unwrap_or_default(),
            marks.join("; "),
        ]
        .map(without_formula);
        let values = table.columns.values().map(|values| csv_cell(values[at]));
        about.into_iter().chain(values).collect()
    });
    csv_text([header].into_iter().chain(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, expected) in [
            ("=cmd|calc!A1", "'=cmd|calc!A1"),
            ("@x", "'@x"),
            ("-go", "'-go"),
            ("-5.5", "-5.5"),
            ("eaten", "eaten"),
        ] {
            assert_eq!(without_formula(cell.to_owned()), expected);
        }
    }
}
