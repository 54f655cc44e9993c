use std::collections::BTreeMap;

use super::finding::{Code, Finding};
use crate::Question;

/// Questions that a slice needs; a report marks smaller ones.
const SLICE: usize = 10;
/// Slices that a note names, the thinnest first.
const NAMED: usize = 12;
/// Questions that a combination of two tags would have by chance, from which its absence is a
/// hole.
const EXPECTED: f64 = 3.0;

/// G501 and G502: one note for each kind of tag, and for each pair of kinds.
pub(super) fn coverage(questions: &[&Question], out: &mut Vec<Finding>) {
    let mut kinds: BTreeMap<&str, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (at, question) in questions.iter().enumerate() {
        for tag in &question.tags {
            let (kind, value) = tag.split_once(':').unwrap_or(("", tag));
            let of = kinds.entry(kind).or_default().entry(value).or_default();
            if of.last() != Some(&at) {
                of.push(at);
            }
        }
    }
    for (kind, values) in &kinds {
        let mut thin: Vec<(usize, &str)> = values
            .iter()
            .map(|(value, of)| (of.len(), *value))
            .filter(|(n, _)| *n < SLICE)
            .collect();
        if thin.is_empty() {
            continue;
        }
        thin.sort_unstable();
        let mut names: Vec<String> = thin.iter().map(|(n, v)| format!("{v} {n}")).collect();
        if names.len() > NAMED {
            names.truncate(NAMED);
            names.push(format!("and {} more", thin.len() - NAMED));
        }
        let kind = if kind.is_empty() { "plain" } else { kind };
        let message = format!(
            "{} of {} slices of {kind} tags have fewer than {SLICE} questions: {}",
            thin.len(),
            values.len(),
            names.join(", ")
        );
        out.push(Finding::of_set(Code::G501, message).figure("thin", thin.len() as f64));
    }
    let pairs =
        kinds.iter().enumerate().flat_map(|(at, a)| kinds.iter().skip(at + 1).map(move |b| (a, b)));
    for ((first, a), (second, b)) in pairs {
        let holes = holes(a, b, questions.len());
        if !holes.is_empty() {
            let message = format!(
                "no question is both {first} and {second} where chance would give {EXPECTED} or \
                 more: {}",
                holes.join(", ")
            );
            out.push(Finding::of_set(Code::G502, message).figure("holes", holes.len() as f64));
        }
    }
}

fn holes(
    a: &BTreeMap<&str, Vec<usize>>,
    b: &BTreeMap<&str, Vec<usize>>,
    questions: usize,
) -> Vec<String> {
    let mut out = Vec::new();
    for (x, with_x) in a {
        for (y, with_y) in b {
            let expected = (with_x.len() * with_y.len()) as f64 / questions as f64;
            if expected >= EXPECTED && !with_x.iter().any(|at| with_y.binary_search(at).is_ok()) {
                out.push(format!("{x} + {y} ({expected:.1})"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_slices_and_the_holes_that_chance_does_not_explain() {
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
        let mut out = Vec::new();
        coverage(&questions.iter().collect::<Vec<_>>(), &mut out);
        let messages: Vec<&str> = out.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "1 of 3 slices of a tags have fewer than 10 questions: thin 1",
                "1 of 3 slices of b tags have fewer than 10 questions: thin 1",
                "no question is both a and b where chance would give 3 or more: x + y (5.8), \
                 y + x (5.8)",
            ]
        );
    }
}
