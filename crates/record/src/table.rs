//! Values by question and measure, as CSV.

use std::collections::BTreeMap;

use fiel_metrics::Value;
use fiel_store::{csv_rows, csv_text};
use fiel_text::id::QuestionId;

use crate::{Column, EvalMode, QuestionRecord};

/// A CSV file that is not a table of measures. The message names the line, from 1, and the column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableError(String);

/// Every measure of every question of a run: one row per question, one column per measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Ids of the questions, in order.
    pub questions: Vec<QuestionId>,
    /// One value per question; `None` if the measure does not apply to it.
    pub columns: BTreeMap<Column, Vec<Option<Value>>>,
}

impl Table {
    /// The measures of these records.
    pub fn of(records: &[QuestionRecord]) -> Self {
        let mut table = Self {
            questions: records.iter().map(|r| r.id.clone()).collect(),
            columns: BTreeMap::new(),
        };
        for (at, record) in records.iter().enumerate() {
            for mode in EvalMode::ALL {
                for (&measure, &value) in record.measures(mode).into_iter().flatten() {
                    let values = table.columns.entry(Column { mode, measure });
                    let values = values.or_insert_with(|| vec![None; records.len()]);
                    values[at] = Some(value);
                }
            }
        }
        table
    }

    /// Position of each question by its id.
    pub fn places(&self) -> BTreeMap<&str, usize> {
        let ids = self.questions.iter().enumerate();
        ids.map(|(at, id)| (id.as_str(), at)).collect()
    }

    /// The table as CSV (RFC 4180): `id` and one column per measure. A cell is empty if the measure
    /// does not apply to the question.
    pub fn to_csv(&self) -> String {
        let names = self.columns.keys().map(ToString::to_string);
        let header: Vec<String> = std::iter::once("id".to_owned()).chain(names).collect();
        let rows = self.questions.iter().enumerate().map(|(at, id)| {
            let cells = self.columns.values().map(|values| csv_cell(values[at]));
            std::iter::once(id.to_string()).chain(cells).collect()
        });
        csv_text(std::iter::once(header).chain(rows))
    }

    /// Reads the output of [`to_csv`](Self::to_csv).
    ///
    /// # Errors
    /// [`TableError`] if the text is not CSV, a column is unknown, a value is not a number, or a
    /// question occurs twice.
    pub fn from_csv(text: &str) -> Result<Self, TableError> {
        Self::parse(text).map_err(TableError)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut rows = csv_rows(text, b',').map_err(|e| e.to_string())?.into_iter();
        let (_, header) = rows.next().ok_or("line 1: the header is missing")?;
        if header.first().map(String::as_str) != Some("id") {
            return Err("line 1: the first column must be `id`".to_owned());
        }
        let columns: Vec<Column> = header[1..]
            .iter()
            .map(|name| name.parse().map_err(|e| format!("line 1: {e}")))
            .collect::<Result<_, String>>()?;
        let mut table = Self::default();
        for (line, row) in rows {
            if row.len() != header.len() {
                let (found, expected) = (row.len(), header.len());
                return Err(format!("line {line}: {found} cells, expected {expected}"));
            }
            for (column, text) in columns.iter().zip(&row[1..]) {
                let value = if text.is_empty() {
                    None
                } else {
                    let value = value(text).ok_or_else(|| {
                        format!("line {line}, {column}: `{text}` is not a finite number")
                    })?;
                    Some(value)
                };
                table.columns.entry(*column).or_default().push(value);
            }
            table.questions.push(row[0].as_str().into());
        }
        if table.places().len() < table.questions.len() {
            return Err("a question occurs twice".to_owned());
        }
        Ok(table)
    }
}

/// A value as a cell of a CSV file; empty if the measure does not apply.
pub fn csv_cell(value: Option<Value>) -> String {
    match value {
        None => String::new(),
        // Writes -0 as 0.
        Some(Value::Ok(score)) => (score + 0.0).to_string(),
        Some(Value::Undefined) => "undefined".to_owned(),
        Some(Value::Failed) => "failed".to_owned(),
    }
}

/// The value of a cell that is not empty.
fn value(text: &str) -> Option<Value> {
    match text {
        "undefined" => Some(Value::Undefined),
        "failed" => Some(Value::Failed),
        number => {
            let score: f64 = number.parse().ok()?;
            Some(Value::Ok(score).score().filter(|s| s.is_finite())?.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_back_from_its_csv() {
        let column = |name: &str| name.parse::<Column>().expect(name);
        let table = Table {
            questions: vec!["a,\"1\"".into(), "b".into()],
            columns: BTreeMap::from([
                (column("retrieval.hit@5"), vec![Some(Value::Ok(1.0 / 3.0)), None]),
                (column("e2e.F1"), vec![Some(Value::Undefined), Some(Value::Failed)]),
            ]),
        };
        let csv = table.to_csv();
        assert!(csv.starts_with(
            "id,retrieval.hit@5,e2e.F1\n\"a,\"\"1\"\"\",0.3333333333333333,undefined\n"
        ));
        assert_eq!(Table::from_csv(&csv), Ok(table));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, part) in [
            ("", "the header is missing"),
            ("x,e2e.F1\n", "must be `id`"),
            ("id,e2e.F2\n", "e2e.F2"),
            ("id,e2e.F1\na\n", "line 2: 1 cells"),
            ("id,e2e.F1\na,NaN\n", "line 2, e2e.F1: `NaN`"),
            ("id,e2e.F1\na,1\na,0\n", "twice"),
            ("id,e2e.F1\n\"a,1\n", "line 2: a quoted cell"),
        ] {
            let message = Table::from_csv(text).expect_err(text).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
