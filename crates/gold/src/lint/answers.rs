//! References that the evidence lacks, and answers outside the evidence.

use std::collections::BTreeSet;

use fiel_metrics::contains;
use fiel_record::LintFinding;
use fiel_text::word_matches;

use super::{
    finding::Code,
    passages::Passages,
    words::{content, percent, stems},
};
use crate::{Error, Question, ResolvedQuestion};

/// Number of passages that are searched for the answer.
const DEPTH: usize = 20;
/// Weighted share of the question's words at which a passage is about the question.
const ABOUT: f64 = 0.5;
/// An answer is common if more than one in this many passages contains it, and more than five.
const COMMON: (usize, usize) = (50, 5);

/// G301: the evidence contains no reference, neither literally nor, for an answer in several parts,
/// by its content words.
pub(super) fn unproved(question: &Question) -> Option<LintFinding> {
    let Question { answers, lang, .. } = question;
    let quotes: Vec<&str> = question.evidence.iter().filter_map(|e| e.quote.as_deref()).collect();
    if quotes.is_empty() || answers.is_empty() {
        return None;
    }
    let quotes = quotes.join(" ");
    let evidence = stems(&quotes, *lang);
    let is_proved = |answer: &String| {
        contains(&quotes, &[answer], *lang) == 1.0 || occurs_literally(answer, &quotes) || {
            let words = content(answer, *lang);
            !words.is_empty() && words.is_subset(&evidence)
        }
    };
    let message = || format!("its evidence contains none of the references: {}", list(answers));
    (!answers.iter().any(is_proved)).then(|| Code::G301.finding(message(), &[]))
}

/// G302: references without the strings of `answer_contains`.
pub(super) fn incomplete(question: &Question) -> impl Iterator<Item = LintFinding> {
    question.answers.iter().filter_map(|answer| {
        let is_missing = |part: &&String| contains(answer, &[part], question.lang) == 0.0;
        let missing = question.answer_contains.iter().filter(is_missing);
        let missing: Vec<String> = missing.cloned().collect();
        let message = || {
            let missing = list(&missing);
            format!("the reference \"{answer}\" is wrong, because answer_contains has {missing}")
        };
        (!missing.is_empty()).then(|| Code::G302.finding(message(), &[]))
    })
}

/// G303: passages that contain an answer, are not marked as evidence, and are as much about the
/// question as the evidence is.
///
/// A short answer occurs in many passages, so containing it is not enough: common answers are
/// ignored, and a passage needs at least the weighted share of the question's other words that the
/// passage of the evidence has, and at least [`ABOUT`].
pub(super) fn elsewhere(
    resolved: &ResolvedQuestion,
    passages: &Passages,
) -> Result<Vec<LintFinding>, Error> {
    let question = &resolved.question;
    let Question { answers, lang, .. } = question;
    let mut findings = Vec::new();
    if question.is_judged() || answers.is_empty() {
        return Ok(findings);
    }
    let common = (passages.chunks.len() / COMMON.0).max(COMMON.1);
    let mut rare: Vec<(&String, BTreeSet<usize>)> =
        answers.iter().map(|answer| (answer, passages.containing(answer))).collect();
    rare.retain(|(_, found)| (1..=common).contains(&found.len()));
    let mut words = content(&question.question, *lang);
    for answer in answers {
        words = &words - &content(answer, *lang);
    }
    if words.len() < 2 {
        return Ok(findings);
    }
    let is_evidence = |at: &usize| resolved.spans().any(|s| s.touches(&passages.chunks[*at]));
    let marked: BTreeSet<usize> = (0..passages.chunks.len()).filter(is_evidence).collect();
    let least = marked.iter().map(|&at| passages.coverage(&words, at)).fold(ABOUT, f64::max);
    for at in passages.nearest(&format!("{} {}", question.question, answers[0]), DEPTH)? {
        let coverage = passages.coverage(&words, at);
        if marked.contains(&at) || coverage < least {
            continue;
        }
        if let Some((answer, _)) = rare.iter().find(|(_, found)| found.contains(&at)) {
            let (name, text) = passages.shown(at);
            let share = percent(coverage);
            let message = format!(
                "\"{answer}\" also occurs in {name}, which has {share} of the question's words: \
                 \"{text}\""
            );
            findings.push(Code::G303.finding(message, &[("coverage", coverage)]));
        }
    }
    Ok(findings)
}

/// Whether a text occurs as it is written, ignoring case: "2008" in "2008's", which normalization
/// makes one word.
fn occurs_literally(answer: &str, text: &str) -> bool {
    let (answer, text) = (answer.trim().to_lowercase(), text.to_lowercase());
    word_matches(&text, &answer).next().is_some()
}

fn list(answers: &[String]) -> String {
    let quoted: Vec<String> = answers.iter().map(|a| format!("\"{a}\"")).collect();
    quoted.join(", ")
}
