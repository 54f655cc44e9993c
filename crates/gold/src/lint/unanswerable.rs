//! Unanswerable questions that a passage seems to answer.

use fiel_record::LintFinding;

use super::{
    finding::Code,
    passages::Passages,
    words::{content, percent},
};
use crate::{Error, Question};

/// Number of passages that are examined.
const DEPTH: usize = 10;
/// Weighted share of the question's words at which a passage looks like an answer.
const LOOKS: f64 = 0.8;

/// G401: the passage with most of the words of an unanswerable question.
pub(super) fn answered(
    question: &Question,
    passages: &Passages,
) -> Result<Option<LintFinding>, Error> {
    let words = content(&question.question, question.lang);
    if !question.unanswerable || words.len() < 2 {
        return Ok(None);
    }
    let nearest = passages.nearest(&question.question, DEPTH)?.into_iter();
    let best = nearest
        .map(|at| (at, passages.coverage(&words, at)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    Ok(best.filter(|&(_, coverage)| coverage >= LOOKS).map(|(at, coverage)| {
        let (name, text) = passages.shown(at);
        let share = percent(coverage);
        let message = format!("{name} has {share} of its words, weighted by rarity: \"{text}\"");
        Code::G401.finding(message, &[("coverage", coverage)])
    }))
}
