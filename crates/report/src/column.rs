use std::{fmt, str::FromStr};

use fiel_metrics::Measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is evaluated.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum EvalMode {
    /// Which passages are found.
    Retrieval,
    /// What the reader makes of the evidence alone.
    Oracle,
    /// What it makes of what was found.
    E2e,
}

impl EvalMode {
    /// Every mode, in the order they run.
    pub const ALL: [Self; 3] = [Self::Retrieval, Self::Oracle, Self::E2e];
}

impl fmt::Display for EvalMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Retrieval => "retrieval",
            Self::Oracle => "oracle",
            Self::E2e => "e2e",
        })
    }
}

impl FromStr for EvalMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "retrieval" => Ok(Self::Retrieval),
            "oracle" => Ok(Self::Oracle),
            "e2e" => Ok(Self::E2e),
            other => Err(format!(
                "`{other}` is not a mode; use retrieval, oracle or e2e"
            )),
        }
    }
}

/// A measure of a mode. Written `e2e.F1`, as in the targets of a gold set.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct Column {
    /// The mode.
    pub mode: EvalMode,
    /// The measure.
    pub measure: Measure,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.mode, self.measure)
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (mode, measure) = name
            .split_once('.')
            .ok_or_else(|| format!("`{name}`: write MODE.MEASURE, for example e2e.F1"))?;
        Ok(Self {
            mode: mode.parse()?,
            measure: measure.parse().map_err(|e| format!("`{name}`: {e}"))?,
        })
    }
}

impl TryFrom<String> for Column {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.to_string()
    }
}

/// The measures that say the most about a run, for tables with a row a run or a tag.
pub fn headline() -> Vec<Column> {
    [
        "retrieval.hit@5",
        "retrieval.RR@10",
        "oracle.F1",
        "e2e.F1",
        "e2e.accuracy",
        "e2e.faithfulness_strict",
    ]
    .iter()
    .filter_map(|name| name.parse().ok())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_round_trip_and_sort_by_mode() {
        let names = ["retrieval.nDCG(exp)@10", "oracle.F1", "e2e.EM"];
        let columns: Vec<Column> = names.iter().map(|n| n.parse().expect(n)).collect();
        assert!(columns.is_sorted());
        for (column, name) in columns.iter().zip(names) {
            assert_eq!(column.to_string(), name);
        }
        assert_eq!(headline().len(), 6);
        for bad in ["F1", "e2e.x", "reading.F1"] {
            assert!(bad.parse::<Column>().is_err(), "{bad}");
        }
    }
}
