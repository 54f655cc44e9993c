//! Causes of wrong answers, shown by reruns.

use std::{collections::BTreeMap, fmt};

use fiel_text::id::{ChunkId, QuestionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Class, Mark};

/// Name and version of `diagnosis.json`.
pub const DIAGNOSIS_SCHEMA: &str = "fiel.diagnosis/1";

/// The causes of the wrong answers of a run, each shown by rereading with another context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnosis {
    /// [`DIAGNOSIS_SCHEMA`].
    pub schema: String,
    /// Key of the run.
    pub key: String,
    /// SHA-256 of its `records.jsonl`.
    pub records_sha256: String,
    /// Name of the gold set.
    pub gold: String,
    /// Name of the knowledge base.
    pub kb: String,
    /// Number of answerable questions with an end-to-end answer.
    pub questions: usize,
    /// Wrong answers by class, in the order of [`Class::ALL`].
    pub classes: Vec<ClassCeiling>,
    /// Tags and documents with their p-values, smallest first.
    pub clusters: Vec<Cluster>,
    /// Questions and wrong answers by tag.
    pub tags: BTreeMap<String, TagClasses>,
    /// The wrong answers, in the order of the run.
    pub wrong: Vec<DiagnosedQuestion>,
}

impl Diagnosis {
    /// Share of the wrong answers without an explanation; 0 without wrong answers.
    pub fn unexplained(&self) -> f64 {
        let unexplained = self.wrong.iter().filter(|q| q.class == Class::Unexplained).count();
        unexplained as f64 / self.wrong.len().max(1) as f64
    }

    /// Number of wrong answers that a repair could correct.
    pub fn ceiling(&self, repair: Repair) -> usize {
        self.wrong.iter().filter(|q| q.repairs.contains(&repair)).count()
    }
}

/// The wrong answers of a class, and how many of them each repair could correct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassCeiling {
    /// The class.
    pub class: Class,
    /// Number of wrong answers.
    pub wrong: usize,
    /// Maximum number of corrected answers by repair; repairs that correct none are left out.
    pub ceilings: BTreeMap<Repair, usize>,
    /// The repair to try first: the one with the largest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Repair>,
}

/// A tag or document and its share of the wrong answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cluster {
    /// Tag or document.
    pub kind: ClusterKind,
    /// The tag, or the id of the document.
    pub name: String,
    /// Number of its questions.
    pub questions: usize,
    /// Number of its questions with a wrong answer.
    pub wrong: usize,
    /// Probability of as many or more by chance (hypergeometric upper tail, Fisher's exact test).
    pub p: f64,
    /// p-value corrected by Holm over all of its kind that can reach 0.05.
    pub p_holm: f64,
}

/// Kind of a cluster.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClusterKind {
    /// A tag of the gold set.
    Tag,
    /// The document with the evidence.
    Document,
}

/// Counts of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagClasses {
    /// Answerable questions with an end-to-end answer.
    pub questions: usize,
    /// Wrong answers by class.
    pub wrong: BTreeMap<Class, usize>,
}

/// A wrong answer with its reruns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosedQuestion {
    /// Id of the question.
    pub id: QuestionId,
    /// Its text.
    pub question: String,
    /// Tags of the gold set.
    pub tags: Vec<String>,
    /// Reference answers.
    pub references: Vec<String>,
    /// The wrong answer.
    pub answer: String,
    /// Why the answer is wrong: the first class that applies.
    pub class: Class,
    /// What shows the class.
    pub shown_by: Proof,
    /// Further notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Best rank of a passage with evidence; absent if none was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_rank: Option<usize>,
    /// For each needed piece of evidence, the rank of the first passage that holds it; `null` if none
    /// does.
    #[serde(default)]
    pub group_ranks: Vec<Option<usize>>,
    /// The reruns in the order of [`RerunKind::ALL`]; those that do not apply are left out.
    pub reruns: Vec<Rerun>,
    /// Repairs that could correct the answer.
    pub repairs: Vec<Repair>,
}

impl DiagnosedQuestion {
    /// Whether a rerun gave the right answer. Returns `None` if it was left out.
    pub fn right(&self, kind: RerunKind) -> Option<bool> {
        let rerun = self.reruns.iter().find(|rerun| rerun.kind == kind);
        rerun.map(|rerun| rerun.right)
    }
}

/// A question reread with another context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rerun {
    /// The context.
    pub kind: RerunKind,
    /// Chunks in the context, best first.
    pub chunks: Vec<ChunkId>,
    /// The answer.
    pub answer: String,
    /// Whether the answer is right.
    pub right: bool,
    /// Whether the reader abstained.
    pub abstained: bool,
    /// Error, if the rerun failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The context of a rerun.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RerunKind {
    /// The evidence alone.
    Evidence,
    /// The same context without its distractors.
    NoDistractors,
    /// The evidence, then the other passages of the context.
    EvidenceFirst,
    /// What BM25 alone finds, if that includes the evidence.
    Bm25,
    /// What dense retrieval alone finds, if that includes the evidence.
    Dense,
    /// The same context without the evidence.
    NoEvidence,
}

impl RerunKind {
    /// All kinds in the order of a diagnosis.
    pub const ALL: [Self; 6] = [
        Self::Evidence,
        Self::NoDistractors,
        Self::EvidenceFirst,
        Self::Bm25,
        Self::Dense,
        Self::NoEvidence,
    ];
}

impl fmt::Display for RerunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Evidence => "evidence alone",
            Self::NoDistractors => "without distractors",
            Self::EvidenceFirst => "evidence first",
            Self::Bm25 => "BM25 alone",
            Self::Dense => "dense alone",
            Self::NoEvidence => "without evidence",
        })
    }
}

/// What shows that a class applies.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The error message.
    Error,
    /// The ranks of the evidence.
    Ranks,
    /// The passages dropped from the context.
    Context,
    /// The abstention itself.
    Answer,
    /// A claim that the context does not support.
    Claims,
    /// The right answer of the rerun without distractors.
    NoDistractors,
    /// The wrong answer of the rerun with the evidence alone.
    Evidence,
    /// Nothing.
    None,
}

/// A change that could correct a wrong answer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Chunking: no chunk contains the whole evidence, or the token limit cut it off; right with the
    /// evidence alone.
    Chunking,
    /// Another retrieval method: right with what BM25 or dense retrieval alone finds.
    OtherLeg,
    /// Order of passages: the evidence was read; right if it comes first.
    Order,
    /// Reranking: the evidence was found but not read; right with the evidence first.
    Rerank,
    /// Fewer passages: the evidence was read; right without the other passages, but not with the
    /// evidence before them.
    FewerPassages,
    /// Retrieval: right with the evidence alone or first, and none of the above.
    Retrieval,
    /// Prompt or reader: wrong in every rerun.
    Prompt,
    /// Gold set: wrong in every rerun, but supported by the context and the same with the evidence
    /// alone, so the references may be wrong.
    Gold,
}

impl Repair {
    /// All repairs, the cheapest first.
    pub const ALL: [Self; 8] = [
        Self::Chunking,
        Self::OtherLeg,
        Self::Order,
        Self::Rerank,
        Self::FewerPassages,
        Self::Retrieval,
        Self::Prompt,
        Self::Gold,
    ];
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Chunking => "chunking",
            Self::OtherLeg => "other leg",
            Self::Order => "order",
            Self::Rerank => "rerank",
            Self::FewerPassages => "fewer passages",
            Self::Retrieval => "retrieval",
            Self::Prompt => "prompt",
            Self::Gold => "gold",
        })
    }
}
