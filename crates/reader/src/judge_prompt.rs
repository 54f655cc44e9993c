//! What a judge is asked: narrow questions, answered by yes or no.

use std::path::Path;

use fiel_metrics::Lang;
use fiel_models::llm::{Role, Turn};
use serde::Deserialize;

use crate::{
    Error,
    prompt_files::{Asked, AskedTable, ByLanguage, Shipped, slots},
    slots::Slots,
};

const SHIPPED: Shipped = Shipped {
    setting: "judge.prompt",
    version: 2,
    files: [
        ("en", include_str!("../prompts/judge/en.toml")),
        ("es", include_str!("../prompts/judge/es.toml")),
    ],
};

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

/// What a judge is asked, by language: `judge.prompt`.
pub(crate) struct JudgePrompts(ByLanguage<Set>);

/// A prompt file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptFile {
    support: AskedTable,
    answer_relevance: AskedTable,
    context_relevance: AskedTable,
    correctness_reference: AskedTable,
    correctness_context: AskedTable,
    completeness: AskedTable,
    claims: ClaimsTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsTable {
    system: String,
    user: String,
    #[serde(default)]
    example: Vec<Example>,
}

/// A sentence that was split as it should be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    sentence: String,
    /// One a line.
    claims: String,
}

struct Set {
    support: Asked,
    answer_relevance: Asked,
    context_relevance: Asked,
    correctness_reference: Asked,
    correctness_context: Asked,
    completeness: Asked,
    claims: (String, Slots),
    examples: Vec<Example>,
}

impl JudgePrompts {
    /// The shipped prompts, or those of a path: see [`ByLanguage::load`].
    pub(crate) fn load(path: Option<&Path>) -> Result<Self, Error> {
        Ok(Self(ByLanguage::load(&SHIPPED, path, Set::parse)?))
    }

    /// SHA-256 of the files.
    pub(crate) fn digest(&self) -> &str {
        self.0.digest()
    }

    /// The conversation up to the claims of a sentence.
    pub(crate) fn claims(&self, sentence: &str, lang: Lang) -> Result<Vec<Turn>, Error> {
        let set = self.0.of(lang)?;
        let (system, user) = &set.claims;
        let asked = |sentence: &str| Turn::new(Role::User, user.fill(&[("sentence", sentence)]));
        let mut turns = vec![Turn::new(Role::System, &**system)];
        for example in &set.examples {
            turns.push(asked(&example.sentence));
            turns.push(Turn::new(Role::Assistant, &*example.claims));
        }
        turns.push(asked(sentence));
        Ok(turns)
    }

    /// The conversation up to the judge's answer.
    pub(crate) fn question(
        &self,
        question: &JudgeQuestion<'_>,
        lang: Lang,
    ) -> Result<Vec<Turn>, Error> {
        Ok(self.0.of(lang)?.turns(question))
    }
}

impl Set {
    fn parse(text: &str) -> Result<Self, String> {
        let file: PromptFile = toml::from_str(text).map_err(|e| e.to_string())?;
        let of = |table: AskedTable, key: &str, known: &[&str]| table.parse(key, known);
        Ok(Self {
            support: of(file.support, "support", &["context", "claim"])?,
            answer_relevance: of(
                file.answer_relevance,
                "answer_relevance",
                &["question", "answer"],
            )?,
            context_relevance: of(
                file.context_relevance,
                "context_relevance",
                &["question", "passage"],
            )?,
            correctness_reference: of(
                file.correctness_reference,
                "correctness_reference",
                &["question", "reference", "answer"],
            )?,
            correctness_context: of(
                file.correctness_context,
                "correctness_context",
                &["context", "question", "answer"],
            )?,
            completeness: of(file.completeness, "completeness", &["reference", "answer"])?,
            claims: (
                file.claims.system,
                slots("claims.user", &file.claims.user, &["sentence"])?,
            ),
            examples: file.claims.example,
        })
    }

    fn turns(&self, question: &JudgeQuestion<'_>) -> Vec<Turn> {
        let context = |passages: &[&str]| passages.join("\n\n");
        match *question {
            JudgeQuestion::Support { claim, passages } => self
                .support
                .turns(&[("context", &context(passages)), ("claim", claim)]),
            JudgeQuestion::AnswerRelevance { question, answer } => self
                .answer_relevance
                .turns(&[("question", question), ("answer", answer)]),
            JudgeQuestion::ContextRelevance { question, passage } => self
                .context_relevance
                .turns(&[("question", question), ("passage", passage)]),
            JudgeQuestion::CorrectByReference {
                question,
                answer,
                reference,
            } => self.correctness_reference.turns(&[
                ("question", question),
                ("reference", reference),
                ("answer", answer),
            ]),
            JudgeQuestion::CorrectByContext {
                question,
                answer,
                passages,
            } => self.correctness_context.turns(&[
                ("context", &context(passages)),
                ("question", question),
                ("answer", answer),
            ]),
            JudgeQuestion::Complete { answer, reference } => self
                .completeness
                .turns(&[("reference", reference), ("answer", answer)]),
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

    /// Cached judgements are those on these prompts, byte for byte, in every language.
    #[test]
    fn the_shipped_questions_are_those_that_were_measured() {
        let passages = &["One.", "Two."][..];
        let (question, answer, reference) = ("Q?", "A.", "R.");
        let shipped = JudgePrompts::load(None).expect("the shipped prompts");
        for (asked_for, expected) in [
            (
                JudgeQuestion::Support {
                    claim: "So it is.",
                    passages,
                },
                "Context:\nOne.\n\nTwo.\n\nClaim: So it is.\n\nDoes the context support every \
                 detail of the claim?",
            ),
            (
                JudgeQuestion::AnswerRelevance { question, answer },
                "Question: Q?\nAnswer: A.\n\nDoes the answer address the question?",
            ),
            (
                JudgeQuestion::ContextRelevance {
                    question,
                    passage: "One.",
                },
                "Question: Q?\nPassage: One.\n\nDoes the passage help to answer the question?",
            ),
            (
                JudgeQuestion::CorrectByReference {
                    question,
                    answer,
                    reference,
                },
                "Question: Q?\nRight answer: R.\nGiven answer: A.\n\nDoes the given answer say the \
                 same as the right answer?",
            ),
            (
                JudgeQuestion::CorrectByContext {
                    question,
                    answer,
                    passages,
                },
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
    fn files_of_ones_own_are_read_and_their_faults_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("mine.toml");
        let shipped = SHIPPED.files[0].1;
        std::fs::write(&path, shipped.replace("Claim:", "C:")).expect("written");
        let mine = JudgePrompts::load(Some(&path)).expect("loads");
        let support = JudgeQuestion::Support {
            claim: "x",
            passages: &[],
        };
        assert!(asked(&mine, &support, Lang::Es).contains("\n\nC: x\n\n"));
        let built_in = JudgePrompts::load(None).expect("the shipped prompts");
        assert_ne!(mine.digest(), built_in.digest());
        for (old, new, part) in [
            ("{claim}", "", "support.user: the slot {claim} is missing"),
            (
                "{passage}",
                "{text}{passage}",
                "context_relevance.user: it has no slot {text}",
            ),
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
