//! Evidence without a place in the documents.

use fiel_corpus::KnowledgeBase;
use fiel_record::LintFinding;
use fiel_text::QuoteError;

use super::finding::Code;
use crate::{Question, ResolvedQuestion};

/// G002 to G004: evidence without a place. Also returns the located evidence.
pub(super) fn anchored(
    question: &Question,
    kb: &KnowledgeBase,
) -> (ResolvedQuestion, Vec<LintFinding>) {
    let (anchored, unresolved) = ResolvedQuestion::resolve(question, kb);
    let findings = unresolved.into_iter().map(|(evidence, fault)| {
        let doc = &evidence.doc;
        let quote = evidence.quote.as_deref().unwrap_or_default();
        match fault {
            None => Code::G002.finding(format!("there is no document `{doc}` in {}", kb.name), &[]),
            Some(QuoteError::Repeated(times)) => Code::G004.finding(
                format!("{doc} contains the quote {times} times: \"{quote}\""),
                &[("times", times as f64)],
            ),
            Some(QuoteError::Missing | QuoteError::Empty) => {
                Code::G003.finding(format!("{doc} does not contain the quote \"{quote}\""), &[])
            }
        }
    });
    (anchored, findings.collect())
}
