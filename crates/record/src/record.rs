//! The record of one question.

use std::{collections::BTreeMap, fmt};

use fiel_metrics::{Measure, Value};
use fiel_text::{
    Lang,
    id::{ChunkId, DocId, QuestionId},
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
    /// Its id in the gold set.
    pub id: QuestionId,
    /// Its text.
    pub question: String,
    /// ISO code of its language.
    #[schemars(with = "String")]
    pub lang: Lang,
    /// `dev` or `test`.
    pub split: Split,
    /// Tags of the gold set.
    pub tags: Vec<String>,
    /// Whether the knowledge base contains no answer.
    pub unanswerable: bool,
    /// Reference answers.
    pub references: Vec<String>,
    /// The retrieved passages.
    pub retrieval: RetrievalRecord,
    /// The answer with the evidence alone as context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<ReadRecord>,
    /// The answer with the retrieved passages as context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e2e: Option<ReadRecord>,
    /// Why the end-to-end answer is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Further notes on the end-to-end answer.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<Mark>,
}

impl QuestionRecord {
    /// The answer in a mode. Returns `None` for retrieval.
    pub fn read(&self, mode: EvalMode) -> Option<&ReadRecord> {
        match mode {
            EvalMode::Retrieval => None,
            EvalMode::Oracle => self.oracle.as_ref(),
            EvalMode::E2e => self.e2e.as_ref(),
        }
    }

    /// The values in a mode. Returns `None` if the mode has no answer.
    pub fn measures(&self, mode: EvalMode) -> Option<&BTreeMap<Measure, Value>> {
        match mode {
            EvalMode::Retrieval => Some(&self.retrieval.measures),
            mode => self.read(mode).map(|read| &read.measures),
        }
    }
}

/// The passages retrieved for a question.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RetrievalRecord {
    /// The passages, best first.
    pub hits: Vec<HitRecord>,
    /// Documents that the list leaves out, such as the document that the question was made of.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub excluded: Vec<DocId>,
    /// Number of evidence groups that the question needs.
    pub groups: usize,
    /// Ids of the chunks that contain the evidence.
    pub evidence: Vec<ChunkId>,
    /// Grades by judged document; empty if the evidence is quoted.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub judgements: BTreeMap<String, i32>,
    /// Value of each measure; empty for a question without evidence.
    pub measures: BTreeMap<Measure, Value>,
    /// The question with corrected spelling, if it was searched for instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewritten: Option<String>,
    /// Keywords that were searched for in addition to the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub keywords: Option<String>,
    /// Share of the ten nearest chunks of an exact scan that HNSW finds; absent if dense search is
    /// exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_overlap: Option<f64>,
    /// Values with an exact scan instead of HNSW, if they differ.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub exact_measures: BTreeMap<Measure, Value>,
    /// Error message, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A retrieved passage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HitRecord {
    /// Rank from 1.
    pub rank: usize,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Score after fusion, or of the only ranked list; after reranking the score of the reranker.
    pub score: f64,
    /// Place in the list of BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<LegRecord>,
    /// Place in the list of dense retrieval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<LegRecord>,
    /// Place in the list of the rewritten question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewrite: Option<LegRecord>,
    /// Place in the list of the reranker.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rerank: Option<LegRecord>,
    /// Evidence groups that it contains.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub finds: Vec<usize>,
}

/// Place in a ranked list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LegRecord {
    /// Rank from 1.
    pub rank: usize,
    /// Score of BM25, cosine, or score of the reranker.
    pub score: f64,
}

/// An answer with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
pub struct ReadRecord {
    /// Passages in the context, in order.
    pub passages: Vec<PassageRecord>,
    /// Ids of the chunks that the token limit dropped.
    pub dropped: Vec<ChunkId>,
    /// The whole prompt.
    pub prompt: String,
    /// The answer with its citations.
    pub answer: String,
    /// Whether the reader abstained.
    pub abstained: bool,
    /// Whether it is right: no abstention, every required string, and `contains` or F1 ≥ 0.8.
    pub right: bool,
    /// Value of each measure.
    pub measures: BTreeMap<Measure, Value>,
    /// The claims of the answer.
    pub claims: Vec<ClaimRecord>,
    /// Account of the language model that split the answer into claims, if one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub split: Option<ClaimSplitRecord>,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the answer.
    pub answer_tokens: usize,
    /// With `read.repair`, id of the passage that best supports an answer without a citation. It does
    /// not count as a citation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attributed: Option<String>,
    /// First output of the model, if it only repeated the question and `answer` replaced it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub echoed: Option<String>,
    /// Further answers at a temperature, with `--repeat`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub repeats: Vec<RepeatRecord>,
    /// Scores of the guard, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guard: Option<GuardRecord>,
    /// Error message, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Tokens read by the judge.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub judge_tokens: usize,
    /// Error message of the judge, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_error: Option<String>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A further answer to the same prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepeatRecord {
    /// The answer with its citations.
    pub answer: String,
    /// Whether the reader abstained.
    pub abstained: bool,
    /// Whether the answer is right.
    pub right: bool,
    /// Its F1; 0 for an unanswerable question.
    pub f1: f64,
}

/// How close the passages are to the question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuardRecord {
    /// Cosine of the question and the nearest passage.
    pub cosine: f64,
    /// The largest share of the question's IDF in a passage.
    pub share: f64,
    /// The larger distance of the two above their thresholds.
    pub margin: f64,
    /// Whether the guard abstained without the reader.
    pub refused: bool,
}

/// A passage in the context of the reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageRecord {
    /// Id in citations.
    pub id: String,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Ids of the overlapping chunks that were merged into it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub merged: Vec<ChunkId>,
}

/// A claim of an answer with its support.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimRecord {
    /// Its text.
    pub text: String,
    /// Ids that it cites, including unknown ones.
    pub cites: Vec<String>,
    /// Whether the cited chunks support it.
    pub strict: bool,
    /// Whether the whole context supports it.
    pub loose: bool,
    /// Share of its content words in the context.
    pub share: f64,
    /// Why the context does not support it; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Scores by name of the scorer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// Scorers that find it unsupported by the whole context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<String>,
}

/// The split of an answer into claims by a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimSplitRecord {
    /// Number of sentences given to the model: those long enough for two claims.
    pub sentences: usize,
    /// Number of these that were split into clauses instead, because the claims added or dropped
    /// content.
    pub refused: usize,
    /// Tokens of prompts and claims.
    pub tokens: usize,
}

/// Why an answer to an answerable question is wrong: the first class that applies.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The pipeline failed.
    Failed,
    /// A required evidence group is not among the first `context_k` retrieved passages.
    RetrievalMiss,
    /// The evidence was found but did not reach the reader.
    ContextCut,
    /// The reader abstained although it had the evidence.
    OverRefusal,
    /// The context does not support a claim.
    ReaderHallucination,
    /// The answer is right with the evidence alone.
    RetrievalDistract,
    /// The answer is wrong with the evidence alone, too.
    ReaderMiss,
    /// None of these.
    Unexplained,
}

impl Class {
    /// All classes in the order in which they are tried.
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

/// A note on a right or wrong answer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Right, but not exactly the reference or without a valid citation.
    Format,
    /// Right without the evidence in the context.
    SelfKnowledge,
    /// Supported by the context, but different from the references.
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

/// Times of a question in milliseconds. They have their own file, because they differ between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
pub struct TimingRecord {
    /// Id of the question.
    pub id: QuestionId,
    /// Rewriting of the question.
    #[serde(default)]
    pub rewrite_ms: f64,
    /// Embedding of the question.
    pub embed_ms: f64,
    /// Dense search.
    pub dense_ms: f64,
    /// BM25.
    pub bm25_ms: f64,
    /// Reranking.
    #[serde(default)]
    pub rerank_ms: f64,
    /// Reading with the oracle context; absent if the answer comes from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle_ms: Option<f64>,
    /// Reading end to end; absent if the answer comes from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e2e_ms: Option<f64>,
    /// Judging of the answers and splitting into claims by a model; absent without both.
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
