//! The result of a gate.

use fiel_metrics::{Direction, Interval};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, LatencyTarget};

/// Name and version of the result of a gate as JSON.
pub const GATE_SCHEMA: &str = "fiel.gate/1";

/// A run checked against the targets of its gold set and the committed baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// [`GATE_SCHEMA`].
    pub schema: String,
    /// Id of the run.
    pub run: String,
    /// Name of the gold set.
    pub gold: String,
    /// Run of the baseline; null without a baseline.
    pub baseline: Option<String>,
    /// Whether no check failed, and none was not run unless that is allowed.
    pub passed: bool,
    /// Number of questions of the run.
    #[serde(default)]
    pub questions: usize,
    /// Number of questions of the split in the gold set, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// Which questions the run covers: its split and filters.
    #[serde(default)]
    pub selection: String,
    /// Number of questions of the baseline that the run lacks.
    #[serde(default)]
    pub lacking: usize,
    /// Checks of targets, then of measures against the baseline.
    pub checks: Vec<GateCheck>,
    /// What was not checked and why.
    pub notes: Vec<String>,
}

/// The reference of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GateReference {
    /// A target of the gold set.
    Target,
    /// The baseline, question by question.
    Baseline,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// Target reached, or no regression.
    Passed,
    /// Target missed, or a regression.
    Failed,
    /// The run lacks the measure.
    NotRun,
}

/// One measure of the run against a target or the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateCheck {
    /// The reference.
    pub against: GateReference,
    /// The measure; absent if a latency is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<Column>,
    /// The latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<LatencyTarget>,
    /// The result.
    pub result: CheckResult,
    /// The target, or the mean of the baseline.
    pub expected: Option<f64>,
    /// The mean of the run.
    pub mean: Option<f64>,
    /// Interval of the paired difference to the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
    /// p of no difference to the baseline, after Holm over the measures of the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_holm: Option<f64>,
    /// Number of questions with a value in both runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// Questions of a failed check: `id before → now`, or `id value` for a target.
    pub questions: Vec<String>,
}

impl GateCheck {
    /// `e2e.F1 at least 0.80`, `e2e.F1 against the baseline`.
    pub fn name(&self) -> String {
        if let Some(latency) = &self.latency {
            return latency.to_string();
        }
        let column = self.column.map_or(String::new(), |column| column.to_string());
        match (self.against, self.expected) {
            (GateReference::Target, Some(target)) => {
                let sign = match self.column.map(|c| c.measure.direction()) {
                    Some(Direction::LowerIsBetter) => "below",
                    _ => "at least",
                };
                format!("{column} {sign} {target:.2}")
            }
            (GateReference::Target, None) => format!("{column} against its target"),
            (GateReference::Baseline, _) => format!("{column} against the baseline"),
        }
    }

    /// The values as text.
    pub fn figures(&self) -> String {
        let Some(mean) = self.mean else {
            return "not run".to_owned();
        };
        match (self.expected, self.p_holm, self.n) {
            (Some(before), Some(p), Some(n)) => {
                let interval = self.difference.map_or(String::new(), |d| {
                    format!(
                        ", interval of the difference [{:+.3}, {:+.3}]",
                        d.low + 0.0,
                        d.high + 0.0
                    )
                });
                let p = if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") };
                format!("{before:.3} → {mean:.3}{interval}, p {p} (Holm), n {n}")
            }
            _ if self.latency.is_some() => format!("{mean:.0} ms"),
            _ => format!("{mean:.3}"),
        }
    }
}
