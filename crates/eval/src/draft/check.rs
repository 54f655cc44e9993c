//! A check of drafted questions by the reader.

use fiel_corpus::KnowledgeBase;
use fiel_gold::{DraftCheck, Question, ResolvedQuestion};
use fiel_reader::{Observer, Outcome, Pipeline, PipelineProgress, ReadRequest};

use crate::{
    Error,
    reading::{scores, settle},
};

fn check(question: &Question, outcome: Outcome) -> DraftCheck {
    let scores = scores(question, &outcome);
    DraftCheck {
        f1: (!question.unanswerable).then_some(scores.f1),
        agrees: if question.unanswerable { outcome.abstained } else { scores.right },
        answer: outcome.answer,
        abstained: outcome.abstained,
    }
}

/// Lets the reader answer a question: an unanswerable question end to end, any other from its evidence
/// alone.
///
/// # Errors
/// If a step of the pipeline fails.
pub fn check_draft(
    question: &Question,
    kb: &KnowledgeBase,
    pipeline: &Pipeline,
    progress: &mut dyn FnMut(PipelineProgress),
) -> Result<DraftCheck, Error> {
    let (text, lang) = (&question.question, question.lang);
    let observer = &mut Observer::of_progress(progress);
    let mut outcome = if question.unanswerable {
        pipeline.ask(&ReadRequest::new(text, &[], lang), observer)?.1
    } else {
        let resolved = ResolvedQuestion::resolve(question, kb).0;
        let chunks = resolved.evidence_chunks(pipeline.retriever().chunks(), kb);
        pipeline.read(&ReadRequest::new(text, &chunks, lang), observer)?
    };
    settle(question, &mut outcome);
    Ok(check(question, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_agrees_with_the_same_answer_or_with_a_refusal() {
        let outcome = |answer: &str, abstained| Outcome {
            answer: answer.to_owned(),
            abstained,
            ..Outcome::default()
        };
        let question = |answers: &[&str]| Question {
            answers: answers.iter().map(|a| (*a).to_owned()).collect(),
            unanswerable: answers.is_empty(),
            ..Question::default()
        };
        let agrees = |answers: &[&str], answer, abstained| {
            check(&question(answers), outcome(answer, abstained)).agrees
        };
        assert!(agrees(&["nine days"], "nine days [1]", false));
        assert!(!agrees(&["nine days"], "a month [1]", false));
        assert!(!agrees(&["nine days"], "I don't know.", true));
        assert!(agrees(&[], "I don't know.", true));
        assert!(!agrees(&[], "nine days [1]", false));
        let check = check(&question(&[]), outcome("nine days", false));
        assert_eq!(check.f1, None);
    }
}
