use std::collections::BTreeSet;

use fiel_metrics::contains;
use fiel_text::word_matches;

use super::{
    finding::{Code, Finding},
    passages::Passages,
    words::{content, percent, stems},
};
use crate::{Error, Question, ResolvedQuestion};

/// Passages that are looked through for the answer.
const DEPTH: usize = 20;
/// Weighted share of the question's words from which a passage is about the question.
const ABOUT: f64 = 0.5;
/// An answer is common when more than one in so many passages hold it, and more than five.
const COMMON: (usize, usize) = (50, 5);

/// G301 and G302: references against evidence and against `answer_contains`.
pub(super) fn references(line: usize, question: &Question, out: &mut Vec<Finding>) {
    let place = (line, question.id.as_str());
    let Question { answers, lang, .. } = question;
    let quotes: Vec<&str> = question.evidence.iter().filter_map(|e| e.quote.as_deref()).collect();
    if !quotes.is_empty() && !answers.is_empty() {
        let all = quotes.join(" ");
        let evidence = stems(&all, *lang);
        // Word for word, or, for an answer of several parts, every content word.
        let read_off = |answer: &&String| {
            contains(&all, &[answer], *lang) == 1.0 || stands_in(answer, &all) || {
                let words = content(answer, *lang);
                !words.is_empty() && words.is_subset(&evidence)
            }
        };
        if !answers.iter().any(|answer| read_off(&answer)) {
            let message = format!("its evidence holds none of the references: {}", list(answers));
            out.push(Finding::at(Code::G301, place, message));
        }
    }
    for answer in answers {
        let missing: Vec<String> = question
            .answer_contains
            .iter()
            .filter(|needed| contains(answer, &[needed], *lang) == 0.0)
            .cloned()
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "the reference \"{answer}\" would be wrong, for answer_contains asks for {}",
                list(&missing)
            );
            out.push(Finding::at(Code::G302, place, message));
        }
    }
}

/// G303: passages that hold an answer, are not marked as evidence, and are as much about the
/// question as the evidence is.
///
/// A short answer occurs everywhere, so holding it is not enough. A common one is not looked for,
/// and a passage must have at least the weighted share of the question's other words that the
/// passage of the evidence has, and not less than [`ABOUT`].
pub(super) fn elsewhere(
    line: usize,
    resolved: &ResolvedQuestion,
    passages: &Passages,
    out: &mut Vec<Finding>,
) -> Result<(), Error> {
    let question = &resolved.question;
    let Question { answers, lang, .. } = question;
    if question.is_judged() || answers.is_empty() {
        return Ok(());
    }
    let common = (passages.chunks.len() / COMMON.0).max(COMMON.1);
    let rare: Vec<&String> = answers
        .iter()
        .filter(|answer| (1..=common).contains(&passages.holding(answer).count()))
        .collect();
    let mut words = content(&question.question, *lang);
    for answer in answers {
        words = &words - &content(answer, *lang);
    }
    if words.len() < 2 {
        return Ok(());
    }
    let is_evidence = |at: usize| resolved.spans().any(|s| s.touches(&passages.chunks[at]));
    let marked: BTreeSet<usize> =
        (0..passages.chunks.len()).filter(|&at| is_evidence(at)).collect();
    let of_evidence = marked.iter().map(|&at| passages.coverage(&words, at)).fold(ABOUT, f64::max);
    let query = format!("{} {}", question.question, answers[0]);
    for at in passages.nearest(&query, DEPTH)? {
        let coverage = passages.coverage(&words, at);
        if marked.contains(&at) || coverage < of_evidence {
            continue;
        }
        let Some(answer) = rare.iter().find(|a| passages.holding(a).any(|p| p == at)) else {
            continue;
        };
        let (name, text) = passages.shown(at);
        let message = format!(
            "\"{answer}\" also stands in {name}, which has {} of the question's words: \"{text}\"",
            percent(coverage)
        );
        let place = (line, question.id.as_str());
        let finding = Finding::at(Code::G303, place, message).figure("coverage", coverage);
        out.push(finding);
    }
    Ok(())
}

/// Whether a text occurs as it is written, letter case apart: "2008" in "2008's", which
/// normalization makes one word.
fn stands_in(answer: &str, text: &str) -> bool {
    let (answer, text) = (answer.trim().to_lowercase(), text.to_lowercase());
    word_matches(&text, &answer).next().is_some()
}

fn list(answers: &[String]) -> String {
    let quoted: Vec<String> = answers.iter().map(|a| format!("\"{a}\"")).collect();
    quoted.join(", ")
}
