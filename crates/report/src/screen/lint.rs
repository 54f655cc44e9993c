//! `fiel gold lint`

use fiel_record::{LintFinding, LintLevel, LintResult};

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
        "{} questions, {} of them unanswerable; ",
        result.questions, result.unanswerable
    ));
    if let Some(overlap) = result.overlap {
        let percent = overlap * 100.0;
        out.push_str(&format!("{percent:.0} % of their content words are in their evidence; "));
    }
    out.push_str(&format!(
        "{} errors, {} warnings, {} notes, {} accepted\n",
        result.count(LintLevel::Error),
        result.count(LintLevel::Warning),
        result.count(LintLevel::Note),
        result.accepted.len()
    ));
    out
}
