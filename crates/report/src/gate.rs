use std::fmt::Write;

use fiel_metrics::Interval;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, LatencyTarget, Style, one_line};

/// Name and version of a gate's outcome as JSON.
pub const GATE_SCHEMA: &str = "fiel.gate/1";

/// A run held against the targets of its gold set and against the committed baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// [`GATE_SCHEMA`].
    pub schema: String,
    /// Id of the run.
    pub run: String,
    /// The gold set.
    pub gold: String,
    /// Run that the baseline was made of; absent without a baseline.
    pub baseline: Option<String>,
    /// Whether no check failed.
    pub passed: bool,
    /// Targets, then measures against the baseline.
    pub checks: Vec<Check>,
    /// What was not checked, and why.
    pub notes: Vec<String>,
}

/// What a check compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// A target of the gold set.
    Target,
    /// The baseline, question by question.
    Baseline,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// Reached, or no regression.
    Passed,
    /// Missed, or a regression.
    Failed,
    /// The run has no such measure.
    NotRun,
}

/// One measure of the run against a target or the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What it compares with.
    pub against: Against,
    /// The measure; absent where a latency is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<Column>,
    /// The latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<LatencyTarget>,
    /// How it came out.
    pub result: CheckResult,
    /// The target, or the mean of the baseline.
    pub expected: Option<f64>,
    /// The mean of the run.
    pub mean: Option<f64>,
    /// Interval of the paired difference to the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
    /// The questions behind a failure: `id before → now`, or below the target `id value`.
    pub questions: Vec<String>,
}

impl Check {
    /// `e2e.F1 at least 0.80`, `e2e.F1 against the baseline`.
    pub fn name(&self) -> String {
        if let Some(latency) = &self.latency {
            return latency.to_string();
        }
        let column = self
            .column
            .map_or(String::new(), |column| column.to_string());
        match (self.against, self.expected) {
            (Against::Target, Some(target)) => {
                let lower = self.column.is_some_and(|c| c.measure.lower_is_better());
                let sign = if lower { "below" } else { "at least" };
                format!("{column} {sign} {target:.2}")
            }
            (Against::Target, None) => format!("{column} against its target"),
            (Against::Baseline, _) => format!("{column} against the baseline"),
        }
    }

    /// The figures in words.
    pub fn figures(&self) -> String {
        let Some(mean) = self.mean else {
            return "not run".to_owned();
        };
        match (self.expected, &self.difference) {
            (Some(before), Some(d)) => format!(
                "{before:.3} → {mean:.3}, interval of the difference [{:+.3}, {:+.3}]",
                d.low + 0.0,
                d.high + 0.0
            ),
            _ if self.latency.is_some() => format!("{mean:.0} ms"),
            _ => format!("{mean:.3}"),
        }
    }
}

/// Questions named on the terminal and in Markdown; JSON and JUnit name all.
pub(crate) const NAMED: usize = 20;

pub(crate) fn named(questions: &[String]) -> String {
    let mut out = questions[..questions.len().min(NAMED)].join(", ");
    if questions.len() > NAMED {
        let _ = write!(out, ", … and {} more", questions.len() - NAMED);
    }
    out
}

/// A gate on the terminal: what failed with its questions; what passed in a line.
pub fn gate_screen(gate: &GateReport, style: Style) -> String {
    let mut out = String::new();
    for check in gate
        .checks
        .iter()
        .filter(|c| c.result == CheckResult::Failed)
    {
        let what = match check.against {
            Against::Target => "MISSED",
            Against::Baseline => "REGRESSION",
        };
        let _ = writeln!(
            out,
            "{} {}: {}",
            style.bad(what),
            check.name(),
            check.figures()
        );
        for question in check.questions.iter().take(NAMED) {
            let _ = writeln!(out, "  {}", one_line(question, style.width));
        }
        if check.questions.len() > NAMED {
            let _ = writeln!(out, "  … and {} more", check.questions.len() - NAMED);
        }
    }
    for against in [Against::Target, Against::Baseline] {
        let count = |result| {
            let same = |c: &&Check| c.against == against && c.result == result;
            gate.checks.iter().filter(same).count()
        };
        let name = match against {
            Against::Target => "targets",
            Against::Baseline => "measures against the baseline",
        };
        let (passed, failed) = (count(CheckResult::Passed), count(CheckResult::Failed));
        if passed + failed > 0 {
            let _ = writeln!(out, "{name}: {passed} passed, {failed} failed");
        }
    }
    for note in &gate.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let verdict = match gate.passed {
        true => style.good("gate passed"),
        false => style.bad("gate failed"),
    };
    let _ = writeln!(out, "{verdict}: run {} on {}", gate.run, gate.gold);
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn report() -> GateReport {
        let check = |against, column: &str, result, difference| Check {
            against,
            column: Some(column.parse().expect(column)),
            latency: None,
            result,
            expected: Some(0.8),
            mean: (result != CheckResult::NotRun).then_some(0.75),
            difference,
            questions: match result {
                CheckResult::Failed => vec!["q<1> 1 → 0".into(), "q|2 1 → 0".into()],
                _ => vec![],
            },
        };
        let interval = Interval {
            low: -0.1,
            high: -0.01,
        };
        GateReport {
            schema: GATE_SCHEMA.into(),
            run: "r1".into(),
            gold: "verbs".into(),
            baseline: Some("r0".into()),
            passed: false,
            checks: vec![
                check(Against::Target, "e2e.F1", CheckResult::NotRun, None),
                check(
                    Against::Target,
                    "retrieval.hit@5",
                    CheckResult::Failed,
                    None,
                ),
                check(
                    Against::Baseline,
                    "retrieval.hit@5",
                    CheckResult::Failed,
                    Some(interval),
                ),
                check(
                    Against::Baseline,
                    "retrieval.RR@10",
                    CheckResult::Passed,
                    None,
                ),
            ],
            notes: vec!["the baseline is of another commit".into()],
        }
    }

    #[test]
    fn failures_come_first_and_name_their_questions() {
        let style = Style {
            color: false,
            width: 80,
        };
        insta::assert_snapshot!(gate_screen(&report(), style), @r"
        MISSED retrieval.hit@5 at least 0.80: 0.750
          q<1> 1 → 0
          q|2 1 → 0
        REGRESSION retrieval.hit@5 against the baseline: 0.800 → 0.750, interval of the difference [-0.100, -0.010]
          q<1> 1 → 0
          q|2 1 → 0
        targets: 0 passed, 1 failed
        measures against the baseline: 1 passed, 1 failed
        note: the baseline is of another commit
        gate failed: run r1 on verbs
        ");
    }
}
