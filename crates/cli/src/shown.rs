use anyhow::{Result, anyhow};
use fiel_metrics::Measure;
use fiel_report::Column;

/// Measures asked for on the command line; none: all.
pub struct Shown(Vec<One>);

/// A measure of one mode, or of every mode that has it.
enum One {
    Column(Column),
    Measure(Measure),
}

impl Shown {
    pub fn parse(names: &[String]) -> Result<Self> {
        let one = |name: &String| match name.parse() {
            Ok(column) => Ok(One::Column(column)),
            Err(_) => name.parse().map(One::Measure),
        };
        let all: Result<Vec<One>, _> = names.iter().map(one).collect();
        Ok(Self(all.map_err(|e| anyhow!("--measures: {e}"))?))
    }

    pub fn has(&self, column: Column) -> bool {
        let asked = |one: &One| match one {
            One::Column(one) => *one == column,
            One::Measure(measure) => *measure == column.measure,
        };
        self.0.is_empty() || self.0.iter().any(asked)
    }
}
