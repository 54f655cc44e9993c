//! Questions that repeat another question of the set.

use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::normalize_answer;
use fiel_record::LintFinding;

use super::{
    at,
    finding::Code,
    words::{content, percent},
};
use crate::{Question, ResolvedQuestion};

/// Jaccard similarity of the content words at which two questions are nearly the same.
const NEAR: f64 = 0.8;
/// The same for questions that share an answer and a place in the documents.
const NEAR_SAME_ANSWER: f64 = 0.6;

/// G101 and G102, at the later of the two questions.
pub(super) fn duplicates(questions: &[(usize, ResolvedQuestion)]) -> Vec<LintFinding> {
    let words: Vec<BTreeSet<String>> =
        questions.iter().map(|(_, q)| content(&q.question.question, q.question.lang)).collect();
    let texts: Vec<String> = questions
        .iter()
        .map(|(_, q)| normalize_answer(&q.question.question, q.question.lang))
        .collect();
    let mut findings = Vec::new();
    let mut with_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, (line, resolved)) in questions.iter().enumerate() {
        // Earlier questions, each with the number of words in common.
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for word in &words[position] {
            let earlier = with_word.entry(word).or_default();
            for &other in earlier.iter() {
                *common.entry(other).or_default() += 1;
            }
            earlier.push(position);
        }
        let count = words[position].len();
        let nearest = common.into_iter().filter_map(|(other, common)| {
            let similarity = common as f64 / (count + words[other].len() - common) as f64;
            let is_same = texts[position] == texts[other];
            let is_near = || is_near(resolved, &questions[other].1, similarity, count);
            (is_same || is_near()).then_some((is_same, similarity, other))
        });
        let best =
            nearest.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)));
        let Some((is_same, similarity, other)) = best else {
            continue;
        };
        let question = &resolved.question;
        let (other_line, other) = (questions[other].0, &questions[other].1.question);
        let finding = if is_same {
            let differ = if have_different_answers(question, other) {
                ", and their answers differ"
            } else {
                ""
            };
            let message = format!("it repeats {} (line {other_line}){differ}", other.id);
            Code::G101.finding(message, &[])
        } else {
            let message = format!(
                "it shares {} of its content words with {} (line {other_line}): \"{}\"",
                percent(similarity),
                other.id,
                other.question
            );
            Code::G102.finding(message, &[("similarity", similarity)])
        };
        findings.push(at(*line, question, finding));
    }
    findings
}

fn is_near(a: &ResolvedQuestion, b: &ResolvedQuestion, similarity: f64, words: usize) -> bool {
    // "The past of eat" and "the past of drink" differ in one word, and in their answers.
    if words < 2 || have_different_answers(&a.question, &b.question) {
        return false;
    }
    let is_same_place = || {
        a.spans().any(|x| {
            b.spans().any(|y| match (&x.range, &y.range) {
                (Some(r), Some(s)) => x.doc == y.doc && r.start < s.end && s.start < r.end,
                _ => false,
            })
        })
    };
    similarity >= NEAR || (similarity >= NEAR_SAME_ANSWER && is_same_place())
}

/// Whether two questions have no answer in common, although at least one of them has an answer.
fn have_different_answers(a: &Question, b: &Question) -> bool {
    let answers = |q: &Question| -> BTreeSet<String> {
        q.answers.iter().map(|answer| normalize_answer(answer, q.lang)).collect()
    };
    let (a, b) = (answers(a), answers(b));
    a.is_empty() != b.is_empty() || (!a.is_empty() && a.is_disjoint(&b))
}
