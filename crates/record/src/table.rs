//! Values by question and measure, as CSV.

use std::collections::BTreeMap;

use fiel_metrics::Value;

use crate::{Column, EvalMode, QuestionRecord, csv};

/// Every measure of every question of a run: a row a question, a column a measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Ids of the questions, in order.
    pub questions: Vec<String>,
    /// A value a question; `None` where the measure does not cover it.
    pub columns: BTreeMap<Column, Vec<Option<Value>>>,
}

impl Table {
    /// The values that records hold.
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

    /// Position of each question.
    pub fn places(&self) -> BTreeMap<&str, usize> {
        let ids = self.questions.iter().enumerate();
        ids.map(|(at, id)| (id.as_str(), at)).collect()
    }

    /// As CSV (RFC 4180): `id` and a column a measure; an empty cell where a measure does not
    /// cover a question.
    pub fn to_csv(&self) -> String {
        let mut out = String::new();
        let names = self.columns.keys().map(ToString::to_string);
        csv::row(&mut out, ["id".to_owned()].into_iter().chain(names));
        for (at, id) in self.questions.iter().enumerate() {
            let cells = self.columns.values().map(|values| cell(values[at]));
            csv::row(&mut out, [id.clone()].into_iter().chain(cells));
        }
        out
    }

    /// Reads what [`to_csv`](Self::to_csv) wrote.
    ///
    /// # Errors
    /// A message that names the line, counted from 1, and the column.
    pub fn from_csv(text: &str) -> Result<Self, String> {
        let mut rows = csv::rows(text)?.into_iter();
        let (_, header) = rows.next().ok_or("line 1: there is no header")?;
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
                let value = parse(text)
                    .ok_or_else(|| format!("line {line}, {column}: `{text}` is no value"))?;
                table.columns.entry(*column).or_default().push(value);
            }
            table.questions.push(row[0].clone());
        }
        if table.places().len() < table.questions.len() {
            return Err("a question occurs twice".to_owned());
        }
        Ok(table)
    }
}

pub(crate) fn cell(value: Option<Value>) -> String {
    match value {
        None => String::new(),
        // There are two zeros; people know one.
        Some(Value::Ok(score)) => (score + 0.0).to_string(),
        Some(Value::Undefined) => "undefined".to_owned(),
        Some(Value::Failed) => "failed".to_owned(),
    }
}

fn parse(text: &str) -> Option<Option<Value>> {
    Some(match text {
        "" => None,
        "undefined" => Some(Value::Undefined),
        "failed" => Some(Value::Failed),
        number => {
            let score: f64 = number.parse().ok()?;
            Some(Value::Ok(score).score().filter(|s| s.is_finite())?.into())
        }
    })
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
                (
                    column("retrieval.hit@5"),
                    vec![Some(Value::Ok(1.0 / 3.0)), None],
                ),
                (
                    column("e2e.F1"),
                    vec![Some(Value::Undefined), Some(Value::Failed)],
                ),
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
            ("", "no header"),
            ("x,e2e.F1\n", "must be `id`"),
            ("id,e2e.F2\n", "e2e.F2"),
            ("id,e2e.F1\na\n", "line 2: 1 cells"),
            ("id,e2e.F1\na,NaN\n", "line 2, e2e.F1: `NaN`"),
            ("id,e2e.F1\na,1\na,0\n", "twice"),
            ("id,e2e.F1\n\"a,1\n", "line 2: a quoted cell"),
        ] {
            let message = Table::from_csv(text).expect_err(text);
            assert!(message.contains(part), "{message}");
        }
    }
}
