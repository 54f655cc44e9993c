use fiel_corpus::KnowledgeBase;
use fiel_text::QuoteError;

use super::finding::{Code, Finding};
use crate::{GoldFault, Question, ResolvedQuestion, resolve::Unanchored};

/// G001: what the loader refused.
pub(super) fn unusable(faults: &[GoldFault]) -> impl Iterator<Item = Finding> {
    faults.iter().map(|fault| Finding {
        line: Some(fault.line),
        question: fault.question.as_ref().map(ToString::to_string),
        ..Finding::of_set(Code::G001, fault.message.clone())
    })
}

/// G002 to G004: evidence without a place. What has one comes back anchored.
pub(super) fn anchored(
    line: usize,
    question: &Question,
    kb: &KnowledgeBase,
    out: &mut Vec<Finding>,
) -> ResolvedQuestion {
    let place = (line, question.id.as_str());
    ResolvedQuestion::new(question, kb, &mut |evidence, why| {
        let doc = &evidence.doc;
        let quote = evidence.quote.as_deref().unwrap_or_default();
        out.push(match why {
            Unanchored::NoDocument => {
                let message = format!("there is no document `{doc}` in {}", kb.name);
                Finding::at(Code::G002, place, message)
            }
            Unanchored::Quote(QuoteError::Repeated(times)) => {
                let message = format!("{doc} holds the quote {times} times: \"{quote}\"");
                Finding::at(Code::G004, place, message).figure("times", times as f64)
            }
            Unanchored::Quote(QuoteError::Missing | QuoteError::Empty) => {
                let message = format!("{doc} does not hold the quote \"{quote}\"");
                Finding::at(Code::G003, place, message)
            }
        });
    })
}
