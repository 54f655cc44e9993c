//! The record of one question.

use std::{collections::BTreeMap, fmt};

use fiel_metrics::{Measure, Value};
use fiel_text::{
    Lang,
    id::{ChunkId, QuestionId},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EvalMode, Split};

/// Name and version of a line of `records.jsonl`.
pub const RECORD_SCHEMA: &str = "fiel.record/1";

/// One question of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionRecord {
    /// [`RECORD_SCHEMA`].
    pub schema: String,
    /// Id in the gold set.
    pub id: QuestionId,
    /// As asked.
    pub question: String,
    /// ISO code of its language.
    #[schemars(with = "String")]
    pub lang: Lang,
    /// `dev` or `test`.
    pub split: Split,
    /// Tags of the gold set.
    pub tags: Vec<String>,
    /// Whether the base holds no answer.
    pub unanswerable: bool,
    /// Reference answers.
    pub references: Vec<String>,
    /// What was found.
    pub retrieval: RetrievalRecord,
    /// Reading from the evidence alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<ReadRecord>,
    /// Reading from what was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e2e: Option<ReadRecord>,
    /// Why the end-to-end answer is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// What else is to be noted of the end-to-end answer.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<Mark>,
}

impl QuestionRecord {
    /// The answer of a mode; retrieval has none.
    pub fn read(&self, mode: EvalMode) -> Option<&ReadRecord> {
        match mode {
            EvalMode::Retrieval => None,
            EvalMode::Oracle => self.oracle.as_ref(),
            EvalMode::E2e => self.e2e.as_ref(),
        }
    }

    /// The values of a mode; absent when it did not read the question.
    pub fn measures(&self, mode: EvalMode) -> Option<&BTreeMap<Measure, Value>> {
        match mode {
            EvalMode::Retrieval => Some(&self.retrieval.measures),
            mode => self.read(mode).map(|read| &read.measures),
        }
    }
}

/// The passages found for a question.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RetrievalRecord {
    /// Best first.
    pub hits: Vec<HitRecord>,
    /// Evidence groups the question needs.
    pub groups: usize,
    /// Chunks that hold the evidence, for the reader of a miss.
    pub evidence: Vec<ChunkId>,
    /// Grades of the documents that are judged as wholes; empty where evidence is quoted.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub judgements: BTreeMap<String, i32>,
    /// Value of each measure; none for a question without evidence.
    pub measures: BTreeMap<Measure, Value>,
    /// The question as it was searched for, where its spelling was repaired.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewritten: Option<String>,
    /// Keywords that were searched for beside the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub keywords: Option<String>,
    /// Of the ten nearest chunks by an exact scan, the share that HNSW found too; absent when
    /// the dense leg is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_overlap: Option<f64>,
    /// Measures with an exact scan instead of HNSW, where they differ.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub exact_measures: BTreeMap<Measure, Value>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One passage found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HitRecord {
    /// From 1.
    pub rank: usize,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Score of the fusion, or of the only leg; after reranking that of the new order.
    pub score: f64,
    /// Place in BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<LegRecord>,
    /// Place in the dense leg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<LegRecord>,
    /// Place in the further list of a rewritten question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewrite: Option<LegRecord>,
    /// Place by the reranker alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rerank: Option<LegRecord>,
    /// Evidence groups it finds.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub finds: Vec<usize>,
}

/// Place and score in one leg.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LegRecord {
    /// From 1.
    pub rank: usize,
    /// BM25 weight, cosine, or score of the reranker.
    pub score: f64,
}

/// An answer and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
pub struct ReadRecord {
    /// Passages offered, in order.
    pub passages: Vec<PassageRecord>,
    /// Chunks left out by the token budget.
    pub dropped: Vec<ChunkId>,
    /// The whole prompt.
    pub prompt: String,
    /// The answer with its citations.
    pub answer: String,
    /// Whether it is a refusal.
    pub abstained: bool,
    /// Whether it is right (conventions: not a refusal, every needed string, contains or F1 ≥ 0.8).
    pub right: bool,
    /// Value of each measure.
    pub measures: BTreeMap<Measure, Value>,
    /// The claims of the answer.
    pub claims: Vec<ClaimRecord>,
    /// What a language model had to do with the claims, where one cuts answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub split: Option<SplitRecord>,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the answer.
    pub answer_tokens: usize,
    /// Id of the passage that supports an answer without a citation best, with `read.repair`: no
    /// citation, and counted as none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attributed: Option<String>,
    /// What the model said first, where that only repeated the question and `answer` took its
    /// place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub echoed: Option<String>,
    /// Further answers at a temperature, with `--repeat`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub repeats: Vec<RepeatRecord>,
    /// What the guard saw, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guard: Option<GuardRecord>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Tokens that a judge read for it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub judge_tokens: usize,
    /// Why it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_error: Option<String>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// One more answer to the same prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepeatRecord {
    /// The answer with its citations.
    pub answer: String,
    /// Whether it is a refusal.
    pub abstained: bool,
    /// Whether it is right.
    pub right: bool,
    /// Its F1; 0 for an unanswerable question.
    pub f1: f64,
}

/// What the passages have to do with the question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuardRecord {
    /// Cosine of question and nearest passage.
    pub cosine: f64,
    /// The greatest share of the question's IDF in one passage.
    pub share: f64,
    /// By how much the better of the two is above its threshold.
    pub margin: f64,
    /// Whether the reader was not asked.
    pub refused: bool,
}

/// A passage offered to the reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageRecord {
    /// Id it is cited by.
    pub id: String,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Ids of the chunks that overlap it and were merged into it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub merged: Vec<ChunkId>,
}

/// A claim of an answer and its support.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimRecord {
    /// Its words.
    pub text: String,
    /// Ids it cites; unknown ones included.
    pub cites: Vec<String>,
    /// Whether the cited chunks support it.
    pub strict: bool,
    /// Whether the whole context supports it.
    pub loose: bool,
    /// Share of its content words in the context.
    pub share: f64,
    /// Why the context does not support it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its scores by the stronger scorers, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// The scorers by which the whole context does not support it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<String>,
}

/// An answer whose sentences a language model split into claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SplitRecord {
    /// Sentences it was given; those too short to hold two claims are not.
    pub sentences: usize,
    /// Of these, those whose claims said more or less than the sentence, and that were cut into
    /// clauses instead.
    pub refused: usize,
    /// Tokens of prompts and claims.
    pub tokens: usize,
}

/// Why a wrong answer to an answerable question is wrong: the first that holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The pipeline failed.
    Failed,
    /// No evidence among the passages found.
    RetrievalMiss,
    /// Evidence was found and did not reach the reader.
    ContextCut,
    /// Evidence was read and the reader refused.
    OverRefusal,
    /// A claim that nothing in the context supports.
    ReaderHallucination,
    /// Right from the evidence alone.
    RetrievalDistract,
    /// Wrong from the evidence alone, too.
    ReaderMiss,
    /// None of these.
    Unexplained,
}

impl Class {
    /// Every class, in the order they are tried.
    pub const ALL: [Self; 8] = [
        Self::Failed,
        Self::RetrievalMiss,
        Self::ContextCut,
        Self::OverRefusal,
        Self::ReaderHallucination,
        Self::RetrievalDistract,
        Self::ReaderMiss,
        Self::Unexplained,
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed => "failed",
            Self::RetrievalMiss => "retrieval miss",
            Self::ContextCut => "context cut",
            Self::OverRefusal => "over-refusal",
            Self::ReaderHallucination => "reader hallucination",
            Self::RetrievalDistract => "retrieval distract",
            Self::ReaderMiss => "reader miss",
            Self::Unexplained => "unexplained",
        })
    }
}

/// Notes on an answer, also on right ones.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Right, but not exactly the reference or without a valid citation.
    Format,
    /// Right without the evidence in the context.
    SelfKnowledge,
    /// Supported by the context and unlike the reference.
    GoldSuspect,
    /// An answer to an unanswerable question.
    FalseAnswer,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "format",
            Self::SelfKnowledge => "self-knowledge",
            Self::GoldSuspect => "gold suspect",
            Self::FalseAnswer => "false answer",
        })
    }
}

/// Times of one question, in milliseconds; in a file of its own, for they differ between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
pub struct TimingRecord {
    /// Id of the question.
    pub id: QuestionId,
    /// Rewriting the question.
    #[serde(default)]
    pub rewrite_ms: f64,
    /// Embedding the question.
    pub embed_ms: f64,
    /// Dense search.
    pub dense_ms: f64,
    /// BM25.
    pub bm25_ms: f64,
    /// Reranking.
    #[serde(default)]
    pub rerank_ms: f64,
    /// Reading the evidence; absent when it came from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle_ms: Option<f64>,
    /// Reading what was found; absent when it came from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e2e_ms: Option<f64>,
    /// Judging the answers, and splitting them by a model; absent where neither was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_ms: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_from_its_line() {
        let mut record = QuestionRecord {
            schema: RECORD_SCHEMA.into(),
            id: "q".into(),
            question: "Why?".into(),
            lang: Lang::En,
            split: Split::Dev,
            tags: vec!["style:docs".into()],
            unanswerable: false,
            references: vec!["so".into()],
            retrieval: RetrievalRecord::default(),
            oracle: None,
            e2e: Some(ReadRecord::default()),
            class: Some(Class::RetrievalMiss),
            marks: vec![Mark::Format],
        };
        let measure: Measure = "hit@5".parse().expect("a measure");
        record.retrieval.measures.insert(measure, Value::Ok(0.0));
        let line = serde_json::to_string(&record).expect("a line");
        assert!(line.contains("\"hit@5\":0.0") && line.contains("\"retrieval_miss\""), "{line}");
        assert_eq!(serde_json::from_str::<QuestionRecord>(&line).expect("parses"), record);
    }
}
