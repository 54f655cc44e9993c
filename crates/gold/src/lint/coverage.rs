//! Slices with few questions, and combinations of tags without any.

use std::collections::BTreeMap;

use fiel_record::LintFinding;

use super::finding::Code;
use crate::Question;

/// Number of questions that a slice needs; a report marks smaller ones.
const SLICE: usize = 10;
/// Number of slices that a note names, the smallest first.
const NAMED: usize = 12;
/// Number of questions expected by chance at which the absence of a combination is a gap.
const EXPECTED: f64 = 3.0;

/// Positions of the questions with a tag, by the value of the tag.
type Values<'a> = BTreeMap<&'a str, Vec<usize>>;

/// G501 and G502: a note per kind of tag and per pair of kinds.
pub(super) fn coverage(questions: &[&Question]) -> Vec<LintFinding> {
    let mut kinds: BTreeMap<&str, Values<'_>> = BTreeMap::new();
    for (at, question) in questions.iter().enumerate() {
        for tag in &question.tags {
            let (kind, value) = tag.split_once(':').unwrap_or(("", tag));
            let positions = kinds.entry(kind).or_default().entry(value).or_default();
            if positions.last() != Some(&at) {
                positions.push(at);
            }
        }
    }
    let mut findings: Vec<LintFinding> =
        kinds.iter().filter_map(|(kind, values)| small_slices(kind, values)).collect();
    for (at, (first, a)) in kinds.iter().enumerate() {
        for (second, b) in kinds.iter().skip(at + 1) {
            let gaps = gaps(a, b, questions.len());
            if !gaps.is_empty() {
                let message = format!(
                    "no question is both {first} and {second} where chance would give {EXPECTED} \
                     or more: {}",
                    gaps.join(", ")
                );
                findings.push(Code::G502.finding(message, &[("holes", gaps.len() as f64)]));
            }
        }
    }
    findings
}

fn small_slices(kind: &str, values: &Values<'_>) -> Option<LintFinding> {
    let sizes = values.iter().map(|(value, positions)| (positions.len(), *value));
    let mut small: Vec<(usize, &str)> = sizes.filter(|(size, _)| *size < SLICE).collect();
    if small.is_empty() {
        return None;
    }
    small.sort_unstable();
    let count = small.len();
    let mut names: Vec<String> =
        small.iter().take(NAMED).map(|(size, value)| format!("{value} {size}")).collect();
    if count > NAMED {
        names.push(format!("and {} more", count - NAMED));
    }
    let message = format!(
        "fewer than {SLICE} questions in {count} of {} slices of {} tags: {}",
        values.len(),
        if kind.is_empty() { "plain" } else { kind },
        names.join(", ")
    );
    Some(Code::G501.finding(message, &[("thin", count as f64)]))
}

fn gaps(a: &Values<'_>, b: &Values<'_>, questions: usize) -> Vec<String> {
    let mut gaps = Vec::new();
    for (x, with_x) in a {
        for (y, with_y) in b {
            let expected = (with_x.len() * with_y.len()) as f64 / questions as f64;
            if expected >= EXPECTED && !with_x.iter().any(|at| with_y.binary_search(at).is_ok()) {
                gaps.push(format!("{x} + {y} ({expected:.1})"));
            }
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slices_and_unexpected_gaps_are_noted() {
        let tagged = |tags: [&str; 2]| Question {
            tags: tags.map(str::to_owned).to_vec(),
            ..serde_json::from_str(r#"{"id": "q", "question": "Q?"}"#).expect("a question")
        };
        // Twelve of each value, never a:x with b:y; and one thin value of each kind.
        let mut questions: Vec<Question> = Vec::new();
        for _ in 0..12 {
            questions.push(tagged(["a:x", "b:x"]));
            questions.push(tagged(["a:y", "b:y"]));
        }
        questions.push(tagged(["a:thin", "b:thin"]));
        let found = coverage(&questions.iter().collect::<Vec<_>>());
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "fewer than 10 questions in 1 of 3 slices of a tags: thin 1",
                "fewer than 10 questions in 1 of 3 slices of b tags: thin 1",
                "no question is both a and b where chance would give 3 or more: x + y (5.8), \
                 y + x (5.8)",
            ]
        );
    }
}
