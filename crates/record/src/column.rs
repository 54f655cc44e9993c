//! Modes of an evaluation and their measures.

use std::{fmt, str::FromStr};

use fiel_metrics::Measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mode of an evaluation.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum EvalMode {
    /// Retrieval of passages.
    Retrieval,
    /// Answers with the evidence alone as context.
    Oracle,
    /// End to end: answers with the retrieved passages as context.
    E2e,
}

impl EvalMode {
    /// All modes in the order of a run.
    pub const ALL: [Self; 3] = [Self::Retrieval, Self::Oracle, Self::E2e];
    /// The modes with answers.
    pub const READING: [Self; 2] = [Self::Oracle, Self::E2e];
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

/// The name of a mode or measure is unknown. The message says what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ColumnError(String);

impl FromStr for EvalMode {
    type Err = ColumnError;

    fn from_str(name: &str) -> Result<Self, ColumnError> {
        match name {
            "retrieval" => Ok(Self::Retrieval),
            "oracle" => Ok(Self::Oracle),
            "e2e" => Ok(Self::E2e),
            other => Err(ColumnError(format!(
                "unknown mode `{other}`; expected retrieval, oracle or e2e"
            ))),
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

/// Names of the ranking measures of every run.
pub const RANKING_MEASURES: [&str; 10] =
    ["hit@1", "hit@3", "hit@5", "hit@10", "RR@10", "R@5", "P@1", "P@5", "nDCG@10", "all@5"];

/// Names of the ranking measures that only runs with at least [`DEEP_FROM`] passages have.
pub const DEEP_MEASURES: [&str; 2] = ["R@100", "AP"];

/// Passages that [`DEEP_MEASURES`] need.
pub const DEEP_FROM: usize = 100;

impl Column {
    /// Whether every run of the mode has the measure.
    pub fn is_measured(self) -> bool {
        match self.measure {
            Measure::Rank(rank) => {
                self.mode == EvalMode::Retrieval
                    && RANKING_MEASURES.contains(&rank.to_string().as_str())
            }
            Measure::Answer(_) | Measure::Claim(_) | Measure::Judged(_) => {
                self.mode != EvalMode::Retrieval
            }
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.mode, self.measure)
    }
}

impl FromStr for Column {
    type Err = ColumnError;

    fn from_str(name: &str) -> Result<Self, ColumnError> {
        let error = |problem: &dyn fmt::Display| ColumnError(format!("`{name}`: {problem}"));
        let (mode, measure) = name
            .split_once('.')
            .ok_or_else(|| error(&"expected MODE.MEASURE, for example e2e.F1"))?;
        Ok(Self {
            mode: mode.parse()?,
            measure: measure.parse::<Measure>().map_err(|e| error(&e))?,
        })
    }
}

impl TryFrom<String> for Column {
    type Error = ColumnError;

    fn try_from(name: String) -> Result<Self, ColumnError> {
        name.parse()
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.to_string()
    }
}

/// The most important measures, for tables with one row per run or tag.
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
