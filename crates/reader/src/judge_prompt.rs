//! What a judge is asked. Each question is a narrow one, answered by yes or no, and is put in
//! English whatever the language of the texts, because there "yes" and "no" are one token each.

use fiel_models::llm::{Role, Turn};

/// Changes whenever a prompt below does.
pub(crate) const JUDGE_PROMPT_VERSION: u32 = 1;

/// A yes/no question to a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeQuestion<'a> {
    /// Do the passages support the claim?
    Support {
        /// What is claimed.
        claim: &'a str,
        /// What it is held against.
        passages: &'a [&'a str],
    },
    /// Does the answer address the question?
    AnswerRelevance {
        /// As asked.
        question: &'a str,
        /// As answered.
        answer: &'a str,
    },
    /// Does the passage help to answer the question?
    ContextRelevance {
        /// As asked.
        question: &'a str,
        /// One passage.
        passage: &'a str,
    },
    /// Does the answer say the same as the reference?
    CorrectByReference {
        /// As asked.
        question: &'a str,
        /// As answered.
        answer: &'a str,
        /// A right answer.
        reference: &'a str,
    },
    /// Is the answer right by the passages?
    CorrectByContext {
        /// As asked.
        question: &'a str,
        /// As answered.
        answer: &'a str,
        /// What was read.
        passages: &'a [&'a str],
    },
    /// Is every part of the reference in the answer?
    Complete {
        /// As answered.
        answer: &'a str,
        /// A right answer.
        reference: &'a str,
    },
}

/// The conversation up to the judge's answer. What several questions share, the passages, comes
/// first, so that it is read once.
pub(crate) fn judge_prompt(question: &JudgeQuestion<'_>) -> Vec<Turn> {
    let context = |passages: &[&str]| passages.join("\n\n");
    let asked = match question {
        JudgeQuestion::Support { claim, passages } => format!(
            "Context:\n{}\n\nClaim: {}\n\nDoes the context support every detail of the claim?",
            context(passages),
            claim
        ),
        JudgeQuestion::AnswerRelevance { question, answer } => format!(
            "Question: {}\nAnswer: {}\n\nDoes the answer address the question?",
            question, answer
        ),
        JudgeQuestion::ContextRelevance { question, passage } => format!(
            "Question: {}\nPassage: {}\n\nDoes the passage help to answer the question?",
            question, passage
        ),
        JudgeQuestion::CorrectByReference {
            question,
            answer,
            reference,
        } => format!(
            "Question: {}\nRight answer: {}\nGiven answer: {}\n\nDoes the given answer say the same as the right answer?",
            question, reference, answer
        ),
        JudgeQuestion::CorrectByContext {
            question,
            answer,
            passages,
        } => format!(
            "Context:\n{}\n\nQuestion: {}\nAnswer: {}\n\nIs the answer right according to the context?",
            context(passages),
            question,
            answer
        ),
        JudgeQuestion::Complete { answer, reference } => format!(
            "Right answer: {}\nGiven answer: {}\n\nIs every part of the right answer in the given answer?",
            reference, answer
        ),
    };
    vec![
        Turn::new(Role::System, "Answer yes or no."),
        Turn::new(Role::User, asked),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_come_first() {
        let passages = ["One.", "Two."];
        let prompt = judge_prompt(&JudgeQuestion::Support {
            claim: "So it is.",
            passages: &passages,
        });
        assert_eq!(
            prompt[1].text,
            "Context:\nOne.\n\nTwo.\n\nClaim: So it is.\n\nDoes the context support every detail \
             of the claim?"
        );
    }
}
