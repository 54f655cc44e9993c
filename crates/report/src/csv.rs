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
        ];
        let values = table.columns.values().map(|values| csv_cell(values[at]));
        about.into_iter().chain(values).collect()
    });
    csv_text([header].into_iter().chain(rows))
}
