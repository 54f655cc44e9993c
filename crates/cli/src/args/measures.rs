//! The value of `--measures`.

use anyhow::{Result, anyhow};
use fiel_metrics::Measure;
use fiel_record::Column;

/// The measures named on the command line; none named means all.
pub struct MeasureFilter(Vec<Named>);

enum Named {
    /// A measure of one mode: `e2e.F1`.
    Column(Column),
    /// A measure of every mode that has it: `F1`.
    Measure(Measure),
}

impl MeasureFilter {
    pub fn parse(names: &[String]) -> Result<Self> {
        let parse = |name: &String| match name.parse() {
            Ok(column) => Ok(Named::Column(column)),
            Err(_) => name.parse().map(Named::Measure),
        };
        let named: Result<Vec<Named>, _> = names.iter().map(parse).collect();
        Ok(Self(named.map_err(|e| anyhow!("--measures: {e}"))?))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn matches(&self, column: Column) -> bool {
        let matches = |named: &Named| match named {
            Named::Column(named) => *named == column,
            Named::Measure(measure) => *measure == column.measure,
        };
        self.0.is_empty() || self.0.iter().any(matches)
    }
}
