//! The value of `--measures`.

use anyhow::{Context, Result};
use fiel_metrics::Measure;
use fiel_record::{Column, EvalMode};

/// Measures by name (`F1`) or of one mode (`e2e.F1`); an empty list selects all.
pub struct MeasureFilter(Vec<(Option<EvalMode>, Measure)>);

impl MeasureFilter {
    pub fn parse(names: &[String]) -> Result<Self> {
        let parse = |name: &String| match name.parse::<Column>() {
            Ok(column) => Ok((Some(column.mode), column.measure)),
            Err(_) => Ok((None, name.parse::<Measure>()?)),
        };
        let measures: Result<Vec<_>> = names.iter().map(parse).collect();
        Ok(Self(measures.context("--measures")?))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn matches(&self, column: Column) -> bool {
        let mut measures = self.0.iter();
        self.is_empty()
            || measures.any(|(mode, measure)| {
                *measure == column.measure && mode.is_none_or(|mode| mode == column.mode)
            })
    }
}
