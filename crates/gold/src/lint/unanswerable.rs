use super::{
    finding::{Code, Finding},
    passages::Passages,
    words::{content, percent},
};
use crate::{Error, Question};

/// Passages that are looked at.
const DEPTH: usize = 10;
/// Weighted share of the question's words from which a passage looks like an answer.
const LOOKS: f64 = 0.8;

/// G401: the passage that has most of the words of an unanswerable question.
pub(super) fn answered(
    line: usize,
    question: &Question,
    passages: &Passages,
    out: &mut Vec<Finding>,
) -> Result<(), Error> {
    let words = content(&question.question, question.lang);
    if !question.unanswerable || words.len() < 2 {
        return Ok(());
    }
    let best = passages
        .nearest(&question.question, DEPTH)?
        .into_iter()
        .map(|at| (at, passages.coverage(&words, at)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    if let Some((at, coverage)) = best.filter(|&(_, coverage)| coverage >= LOOKS) {
        let (name, text) = passages.shown(at);
        let message = format!(
            "{name} has {} of its words, weighted by rarity: \"{text}\"",
            percent(coverage)
        );
        let place = (line, question.id.as_str());
        out.push(Finding::at(Code::G401, place, message).figure("coverage", coverage));
    }
    Ok(())
}
