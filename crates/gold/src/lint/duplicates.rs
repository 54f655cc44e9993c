use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::normalize_answer;

use super::{
    finding::{Code, Finding},
    words::{content, percent},
};
use crate::{Question, ResolvedQuestion};

/// Common content words / all content words of two questions, from which they are nearly the same.
const NEAR: f64 = 0.8;
/// The same for questions that have both an answer and a place in the documents in common.
const NEAR_SAME_ANSWER: f64 = 0.6;

/// G101 and G102, at the later of the two questions.
pub(super) fn duplicates(questions: &[(usize, ResolvedQuestion)]) -> Vec<Finding> {
    let words: Vec<BTreeSet<String>> =
        questions.iter().map(|(_, q)| content(&q.question.question, q.question.lang)).collect();
    let texts: Vec<String> = questions
        .iter()
        .map(|(_, q)| normalize_answer(&q.question.question, q.question.lang))
        .collect();
    let mut out = Vec::new();
    let mut with_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (line, q)) in questions.iter().enumerate() {
        // Earlier questions with a word in common, and how many words.
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for word in &words[at] {
            let earlier = with_word.entry(word).or_default();
            for &other in earlier.iter() {
                *common.entry(other).or_default() += 1;
            }
            earlier.push(at);
        }
        let nearest = common.into_iter().filter_map(|(other, common)| {
            let union = words[at].len() + words[other].len() - common;
            let similarity = common as f64 / union as f64;
            let same = texts[at] == texts[other];
            let found = same || near(q, &questions[other].1, similarity, words[at].len());
            found.then_some((same, similarity, other))
        });
        let best = nearest.max_by(|a, b| {
            let (x, y) = ((a.0, a.1), (b.0, b.1));
            x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(b.2.cmp(&a.2))
        });
        let Some((same, similarity, other)) = best else {
            continue;
        };
        let place = (*line, q.question.id.as_str());
        let (other_line, other) = (&questions[other].0, &questions[other].1.question);
        let which = format!("{} (line {other_line})", other.id);
        out.push(if same {
            let answers = match different(&q.question, other) {
                true => ", and their answers differ",
                false => "",
            };
            Finding::at(Code::G101, place, format!("the question of {which} again{answers}"))
        } else {
            let message = format!(
                "{} of its content words and those of {which} are the same: \"{}\"",
                percent(similarity),
                other.question
            );
            Finding::at(Code::G102, place, message).figure("similarity", similarity)
        });
    }
    out
}

fn near(a: &ResolvedQuestion, b: &ResolvedQuestion, similarity: f64, words: usize) -> bool {
    // "The past of eat" and "the past of drink" differ in one word, and in their answers.
    if words < 2 || different(&a.question, &b.question) {
        return false;
    }
    let same_place = || {
        a.spans().any(|x| {
            b.spans().any(|y| match (&x.range, &y.range) {
                (Some(r), Some(s)) => x.doc == y.doc && r.start < s.end && s.start < r.end,
                _ => false,
            })
        })
    };
    similarity >= NEAR || (similarity >= NEAR_SAME_ANSWER && same_place())
}

/// Whether two questions have answers, and none in common; or only one of them has any.
fn different(a: &Question, b: &Question) -> bool {
    let of = |q: &Question| -> BTreeSet<String> {
        q.answers.iter().map(|x| normalize_answer(x, q.lang)).collect()
    };
    let (a, b) = (of(a), of(b));
    a.is_empty() != b.is_empty() || (!a.is_empty() && a.is_disjoint(&b))
}
