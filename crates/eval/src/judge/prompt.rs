//! The prompts of the judge: narrow yes/no questions, and splitting a sentence into claims.

use std::path::Path;

use fiel_models::llm::Turn;
use fiel_reader::{PromptFault, PromptPair, PromptSets, PromptTable, ShippedPrompts};
use fiel_text::Lang;
use serde::Deserialize;

use crate::{
    Error,
    few_shot::{FewShot, FewShotTable},
};

const SHIPPED: ShippedPrompts = ShippedPrompts {
    setting: "judge.prompt",
    version: 2,
    files: [
        ("en", include_str!("../../prompts/judge/en.toml")),
        ("es", include_str!("../../prompts/judge/es.toml")),
    ],
};

/// A yes/no question to a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JudgeQuestion<'a> {
    /// Whether the passages support the claim.
    Support { claim: &'a str, passages: &'a [&'a str] },
    /// Whether the answer addresses the question.
    AnswerRelevance { question: &'a str, answer: &'a str },
    /// Whether the passage helps to answer the question.
    ContextRelevance { question: &'a str, passage: &'a str },
    /// Whether the answer says the same as the reference.
    CorrectByReference { question: &'a str, answer: &'a str, reference: &'a str },
    /// Whether the answer is correct according to the passages.
    CorrectByContext { question: &'a str, answer: &'a str, passages: &'a [&'a str] },
    /// Whether every part of the reference is in the answer.
    Complete { answer: &'a str, reference: &'a str },
}

/// The prompts of the judge per language: `judge.prompt`.
pub(crate) struct JudgePrompts(PromptSets<JudgePromptSet>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgePromptFile {
    support: PromptTable,
    answer_relevance: PromptTable,
    context_relevance: PromptTable,
    correctness_reference: PromptTable,
    correctness_context: PromptTable,
    completeness: PromptTable,
    claims: FewShotTable,
}

struct JudgePromptSet {
    support: PromptPair,
    answer_relevance: PromptPair,
    context_relevance: PromptPair,
    correctness_reference: PromptPair,
    correctness_context: PromptPair,
    completeness: PromptPair,
    claims: FewShot,
}

impl JudgePrompts {
    /// Loads the shipped prompts, or those at `path`; see [`PromptSets::load`].
    pub(crate) fn load(path: Option<&Path>) -> Result<Self, Error> {
        Ok(Self(PromptSets::load(&SHIPPED, path, JudgePromptSet::parse)?))
    }

    /// SHA-256 of the files.
    pub(crate) fn digest(&self) -> &str {
        self.0.digest()
    }

    /// The conversation up to the claims of a sentence.
    pub(crate) fn claims(&self, sentence: &str, lang: Lang) -> Result<Vec<Turn>, Error> {
        Ok(self.0.get(lang)?.claims.turns(sentence))
    }

    /// The conversation up to the judge's answer.
    pub(crate) fn question(
        &self,
        question: &JudgeQuestion<'_>,
        lang: Lang,
    ) -> Result<Vec<Turn>, Error> {
        Ok(self.0.get(lang)?.turns(question))
    }
}

impl JudgePromptSet {
    fn parse(text: &str) -> Result<Self, PromptFault> {
        let file: JudgePromptFile = toml::from_str(text)?;
        Ok(Self {
            support: file.support.parse("support", &["context", "claim"])?,
            answer_relevance: file
                .answer_relevance
                .parse("answer_relevance", &["question", "answer"])?,
            context_relevance: file
                .context_relevance
                .parse("context_relevance", &["question", "passage"])?,
            correctness_reference: file
                .correctness_reference
                .parse("correctness_reference", &["question", "reference", "answer"])?,
            correctness_context: file
                .correctness_context
                .parse("correctness_context", &["context", "question", "answer"])?,
            completeness: file.completeness.parse("completeness", &["reference", "answer"])?,
            claims: file.claims.parse("claims", "sentence")?,
        })
    }

    fn turns(&self, question: &JudgeQuestion<'_>) -> Vec<Turn> {
        let context = |passages: &[&str]| passages.join("\n\n");
        match *question {
            JudgeQuestion::Support { claim, passages } => {
                self.support.turns(&[("context", &context(passages)), ("claim", claim)])
            }
            JudgeQuestion::AnswerRelevance { question, answer } => {
                self.answer_relevance.turns(&[("question", question), ("answer", answer)])
            }
            JudgeQuestion::ContextRelevance { question, passage } => {
                self.context_relevance.turns(&[("question", question), ("passage", passage)])
            }
            JudgeQuestion::CorrectByReference { question, answer, reference } => self
                .correctness_reference
                .turns(&[("question", question), ("reference", reference), ("answer", answer)]),
            JudgeQuestion::CorrectByContext { question, answer, passages } => {
                self.correctness_context.turns(&[
                    ("context", &context(passages)),
                    ("question", question),
                    ("answer", answer),
                ])
            }
            JudgeQuestion::Complete { answer, reference } => {
                self.completeness.turns(&[("reference", reference), ("answer", answer)])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(prompts: &JudgePrompts, question: &JudgeQuestion<'_>, lang: Lang) -> String {
        let turns = prompts.question(question, lang).expect("a set");
        assert_eq!(turns[0].text, "Answer yes or no.");
        turns[1].text.clone()
    }

    /// Cached judgements depend on these prompts, byte for byte, in every language.
    #[test]
    fn shipped_questions_are_unchanged() {
        let passages = &["One.", "Two."][..];
        let (question, answer, reference) = ("Q?", "A.", "R.");
        let shipped = JudgePrompts::load(None).expect("the shipped prompts");
        for (asked_for, expected) in [
            (
                JudgeQuestion::Support { claim: "So it is.", passages },
                "Context:\nOne.\n\nTwo.\n\nClaim: So it is.\n\nDoes the context support every \
                 detail of the claim?",
            ),
            (
                JudgeQuestion::AnswerRelevance { question, answer },
                "Question: Q?\nAnswer: A.\n\nDoes the answer address the question?",
            ),
            (
                JudgeQuestion::ContextRelevance { question, passage: "One." },
                "Question: Q?\nPassage: One.\n\nDoes the passage help to answer the question?",
            ),
            (
                JudgeQuestion::CorrectByReference { question, answer, reference },
                "Question: Q?\nRight answer: R.\nGiven answer: A.\n\nDoes the given answer say the \
                 same as the right answer?",
            ),
            (
                JudgeQuestion::CorrectByContext { question, answer, passages },
                "Context:\nOne.\n\nTwo.\n\nQuestion: Q?\nAnswer: A.\n\nIs the answer right \
                 according to the context?",
            ),
            (
                JudgeQuestion::Complete { answer, reference },
                "Right answer: R.\nGiven answer: A.\n\nIs every part of the right answer in the given \
                 answer?",
            ),
        ] {
            for lang in [Lang::En, Lang::Es, Lang::Other] {
                assert_eq!(asked(&shipped, &asked_for, lang), expected, "{lang}");
            }
        }
    }

    #[test]
    fn a_sentence_is_split_in_its_language_after_an_example() {
        let shipped = JudgePrompts::load(None).expect("the shipped prompts");
        let turns = shipped.claims("Es así.", Lang::Es).expect("Spanish");
        assert_eq!((turns.len(), turns[3].text.as_str()), (4, "Es así."));
        assert!(turns[0].text.starts_with("Divide") && turns[2].text.lines().count() == 2);
    }

    #[test]
    fn custom_files_are_read_and_their_faults_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("mine.toml");
        let shipped = SHIPPED.files[0].1;
        std::fs::write(&path, shipped.replace("Claim:", "C:")).expect("written");
        let mine = JudgePrompts::load(Some(&path)).expect("loads");
        let support = JudgeQuestion::Support { claim: "x", passages: &[] };
        assert!(asked(&mine, &support, Lang::Es).contains("\n\nC: x\n\n"));
        let built_in = JudgePrompts::load(None).expect("the shipped prompts");
        assert_ne!(mine.digest(), built_in.digest());
        for (old, new, part) in [
            ("{claim}", "", "support.user: the slot {claim} is missing"),
            ("{passage}", "{text}{passage}", "context_relevance.user: unknown slot {text}"),
            ("[completeness]", "[complete]", "unknown field `complete`"),
        ] {
            std::fs::write(&path, shipped.replace(old, new)).expect("written");
            let error = JudgePrompts::load(Some(&path)).err().map(|e| e.to_string());
            let error = error.unwrap_or_default();
            assert!(
                error.starts_with("judge.prompt: ")
                    && error.contains("mine.toml")
                    && error.contains(part),
                "{error}"
            );
        }
    }
}
