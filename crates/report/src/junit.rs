//! A gate as JUnit XML.

use std::fmt::Write;

use fiel_record::{CheckResult, GateReference, GateReport};

/// Renders a gate as JUnit XML with one test case per check. A failure lists its questions.
pub fn gate_junit(gate: &GateReport) -> String {
    let count = |result| gate.checks.iter().filter(|c| c.result == result).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(
        out,
        "  <testsuite name=\"fiel gate {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">",
        escape(&gate.gold),
        gate.checks.len(),
        count(CheckResult::Failed),
        count(CheckResult::NotRun)
    );
    for check in &gate.checks {
        let class = match check.against {
            GateReference::Target => "target",
            GateReference::Baseline => "baseline",
        };
        let name = escape(&check.name());
        let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\"");
        match check.result {
            CheckResult::Passed => out.push_str("/>\n"),
            CheckResult::NotRun => out.push_str("><skipped message=\"not run\"/></testcase>\n"),
            CheckResult::Failed => {
                let _ = writeln!(
                    out,
                    "><failure message=\"{}\">{}</failure></testcase>",
                    escape(&check.figures()),
                    escape(&check.questions.join("\n"))
                );
            }
        }
    }
    if !gate.notes.is_empty() {
        let notes = escape(&gate.notes.join("\n"));
        let _ = writeln!(out, "    <system-out>{notes}</system-out>");
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Escapes a text for XML 1.0 and replaces the control characters that it does not allow.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::gate::tests::report;

    #[test]
    fn one_test_case_per_check() {
        insta::assert_snapshot!(gate_junit(&report()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="fiel gate verbs" tests="4" failures="2" errors="0" skipped="1">
            <testcase classname="target" name="e2e.F1 at least 0.80"><skipped message="not run"/></testcase>
            <testcase classname="target" name="retrieval.hit@5 at least 0.80"><failure message="0.750">q&lt;1&gt; 1 → 0
        q|2 1 → 0</failure></testcase>
            <testcase classname="baseline" name="retrieval.hit@5 against the baseline"><failure message="0.800 → 0.750, interval of the difference [-0.100, -0.010], p 0.020 (Holm), n 40">q&lt;1&gt; 1 → 0
        q|2 1 → 0</failure></testcase>
            <testcase classname="baseline" name="retrieval.RR@10 against the baseline"/>
            <system-out>the baseline is of another commit</system-out>
          </testsuite>
        </testsuites>
        "#);
        assert_eq!(escape("a\u{1b}\"&"), "a\u{fffd}&quot;&amp;");
    }
}
