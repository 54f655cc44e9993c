//! `fiel gold lint`

use fiel_record::{LintFinding, LintLevel, LintResult, counted};

/// `warning G201: …`, with the remedy on a line of its own.
pub fn finding_lines(finding: &LintFinding) -> String {
    format!("{} {}: {}\n    -> {}\n", finding.level, finding.code, finding.message, finding.remedy)
}

/// Each finding with its place (`gold/verbs.jsonl:12 v-eat: warning G201: …`), then the counts.
pub fn lint_screen(result: &LintResult) -> String {
    let mut out = String::new();
    for finding in &result.findings {
        let mut place = result.path.display().to_string();
        if let Some(line) = finding.line {
            place.push_str(&format!(":{line}"));
        }
        if let Some(id) = &finding.question {
            place.push_str(&format!(" {id}"));
        }
        out.push_str(&format!("{place}: {}", finding_lines(finding)));
    }
    out.push_str(&format!(
        "{}, {} of them unanswerable; ",
        counted(result.questions, "question"),
        result.unanswerable
    ));
    if let Some(overlap) = result.overlap {
        let percent = overlap * 100.0;
        out.push_str(&format!("{percent:.0} % of their content words are in their evidence; "));
    }
    out.push_str(&format!(
        "{}, {}, {}, {} accepted\n",
        counted(result.count(LintLevel::Error), "error"),
        counted(result.count(LintLevel::Warning), "warning"),
        counted(result.count(LintLevel::Note), "note"),
        result.accepted.len()
    ));
    out
}
