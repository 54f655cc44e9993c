//! A gate as Markdown.

use std::fmt::Write;

use fiel_record::{CheckResult, GateReference, GateReport, one_line};

use crate::screen::gate::named;

/// Renders a gate as Markdown, for example for the summary of a CI job.
pub fn gate_markdown(gate: &GateReport) -> String {
    let mut out = String::new();
    let verdict = if gate.passed { "passed" } else { "failed" };
    let _ = writeln!(out, "## Fiel gate {verdict}: {}\n", escape(&gate.gold));
    let baseline = gate.baseline.as_deref().unwrap_or("none");
    let _ = writeln!(
        out,
        "Run `{}`, baseline `{baseline}`.\n\n| check | result | figures |\n|---|---|---|",
        gate.run
    );
    for check in &gate.checks {
        let result = match (check.result, check.against) {
            (CheckResult::Passed, _) => "passed",
            (CheckResult::Failed, GateReference::Target) => "**missed**",
            (CheckResult::Failed, GateReference::Baseline) => "**regression**",
            (CheckResult::NotRun, _) => "not run",
        };
        let figures = check.figures();
        let _ = writeln!(out, "| {} | {result} | {figures} |", check.name());
    }
    let failed = gate.checks.iter().filter(|c| !c.questions.is_empty());
    for check in failed {
        let _ = writeln!(out, "\n**{}**: {}", check.name(), escape(&named(&check.questions)));
    }
    for note in &gate.notes {
        let _ = writeln!(out, "\n> {}", escape(note));
    }
    out
}

/// Escapes Markdown and HTML markup in a text and joins its lines.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text, usize::MAX).chars() {
        if "\\`*_{}[]<>#|".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::gate::tests::report;

    #[test]
    fn a_table_and_the_questions_behind_failures() {
        insta::assert_snapshot!(gate_markdown(&report()), @r"
        ## Fiel gate failed: verbs

        Run `r1`, baseline `r0`.

        | check | result | figures |
        |---|---|---|
        | e2e.F1 at least 0.80 | not run | not run |
        | retrieval.hit@5 at least 0.80 | **missed** | 0.750 |
        | retrieval.hit@5 against the baseline | **regression** | 0.800 → 0.750, interval of the difference [-0.100, -0.010], p 0.020 (Holm), n 40 |
        | retrieval.RR@10 against the baseline | passed | 0.750 |

        **retrieval.hit@5 at least 0.80**: q\<1\> 1 → 0, q\|2 1 → 0

        **retrieval.hit@5 against the baseline**: q\<1\> 1 → 0, q\|2 1 → 0

        > the baseline is of another commit
        ");
    }
}
