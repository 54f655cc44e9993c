//! `fiel gate`

use std::fmt::Write;

use fiel_record::{CheckResult, GateCheck, GateReference, GateReport, counted, one_line};

use crate::Style;

/// Number of questions listed per failure on the terminal and in Markdown. JSON and JUnit list all.
pub(crate) const NAMED: usize = 20;

/// The first [`NAMED`] questions on one line, and the number of the others.
pub(crate) fn named(questions: &[String]) -> String {
    let mut out = questions[..questions.len().min(NAMED)].join(", ");
    if questions.len() > NAMED {
        let _ = write!(out, ", … and {} more", questions.len() - NAMED);
    }
    out
}

/// `86 questions (test)`, `2 of 4 questions (all, only easy; 2 of the baseline are missing)`.
pub(crate) fn coverage(gate: &GateReport) -> String {
    let lacking = match gate.lacking {
        0 => String::new(),
        n => format!("; {n} of the baseline are missing"),
    };
    let count = match gate.of {
        Some(of) if of != gate.questions => {
            format!("{} of {}", gate.questions, counted(of, "question"))
        }
        _ => counted(gate.questions, "question"),
    };
    format!("{count} ({}{lacking})", gate.selection)
}

/// Renders the failures with their questions, then the counts.
pub fn gate_screen(gate: &GateReport, style: Style) -> String {
    let mut out = String::new();
    for check in gate.checks.iter().filter(|c| c.result == CheckResult::Failed) {
        let what = match check.against {
            GateReference::Target => "MISSED",
            GateReference::Baseline => "REGRESSION",
        };
        let _ = writeln!(out, "{} {}: {}", style.bad(what), check.name(), check.figures());
        for question in check.questions.iter().take(NAMED) {
            let _ = writeln!(out, "  {}", one_line(question, style.width));
        }
        if check.questions.len() > NAMED {
            let _ = writeln!(out, "  … and {} more", check.questions.len() - NAMED);
        }
    }
    for against in [GateReference::Target, GateReference::Baseline] {
        let count = |result| {
            let same = |c: &&GateCheck| c.against == against && c.result == result;
            gate.checks.iter().filter(same).count()
        };
        let name = match against {
            GateReference::Target => "targets",
            GateReference::Baseline => "measures against the baseline",
        };
        let (passed, failed) = (count(CheckResult::Passed), count(CheckResult::Failed));
        let not_run = count(CheckResult::NotRun);
        if passed + failed + not_run > 0 {
            let _ = write!(out, "{name}: {passed} passed, {failed} failed");
            if not_run > 0 {
                let _ = write!(out, ", {}", style.bad(&format!("{not_run} NOT MEASURED")));
            }
            out.push('\n');
        }
    }
    for note in &gate.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let verdict = if gate.passed { style.good("gate passed") } else { style.bad("gate failed") };
    let _ = writeln!(out, "{verdict}: run {} on {}, {}", gate.run, gate.gold, coverage(gate));
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use fiel_metrics::Interval;
    use fiel_record::GATE_SCHEMA;

    use super::*;

    pub(crate) fn report() -> GateReport {
        let check = |against, column: &str, result, difference| GateCheck {
            against,
            column: Some(column.parse().expect(column)),
            latency: None,
            result,
            expected: Some(0.8),
            mean: (result != CheckResult::NotRun).then_some(0.75),
            difference,
            p_holm: difference.map(|_| 0.02),
            n: difference.map(|_| 40),
            questions: match result {
                CheckResult::Failed => vec!["q<1> 1 → 0".into(), "q|2 1 → 0".into()],
                _ => vec![],
            },
        };
        let interval = Interval { low: -0.1, high: -0.01 };
        GateReport {
            schema: GATE_SCHEMA.into(),
            run: "r1".into(),
            gold: "verbs".into(),
            baseline: Some("r0".into()),
            passed: false,
            questions: 40,
            of: Some(60),
            selection: "test".into(),
            lacking: 2,
            checks: vec![
                check(GateReference::Target, "e2e.F1", CheckResult::NotRun, None),
                check(GateReference::Target, "retrieval.hit@5", CheckResult::Failed, None),
                check(
                    GateReference::Baseline,
                    "retrieval.hit@5",
                    CheckResult::Failed,
                    Some(interval),
                ),
                check(GateReference::Baseline, "retrieval.RR@10", CheckResult::Passed, None),
            ],
            notes: vec!["the baseline is of another commit".into()],
        }
    }

    #[test]
    fn failures_come_first_and_name_their_questions() {
        let style = Style { color: false, width: 80 };
        insta::assert_snapshot!(gate_screen(&report(), style), @r"
        MISSED retrieval.hit@5 at least 0.80: 0.750
          q<1> 1 → 0
          q|2 1 → 0
        REGRESSION retrieval.hit@5 against the baseline: 0.800 → 0.750, interval of the difference [-0.100, -0.010], p 0.020 (Holm), n 40
          q<1> 1 → 0
          q|2 1 → 0
        targets: 0 passed, 1 failed, 1 NOT MEASURED
        measures against the baseline: 1 passed, 1 failed
        note: the baseline is of another commit
        gate failed: run r1 on verbs, 40 of 60 questions (test; 2 of the baseline are missing)
        ");
    }
}
