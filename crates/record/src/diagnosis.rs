//! Why wrong answers are wrong, shown by reruns.

use std::{collections::BTreeMap, fmt};

use fiel_text::id::{ChunkId, QuestionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Class, Mark};

/// Name and version of `diagnosis.json`.
pub const DIAGNOSIS_SCHEMA: &str = "fiel.diagnosis/1";

/// Why the wrong answers of a run are wrong, each shown by reading again from another context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnosis {
    /// [`DIAGNOSIS_SCHEMA`].
    pub schema: String,
    /// Key of the run.
    pub key: String,
    /// SHA-256 of its `records.jsonl`.
    pub records_sha256: String,
    /// Gold set, by name.
    pub gold: String,
    /// Knowledge base, by name.
    pub kb: String,
    /// Answerable questions that were read end to end.
    pub questions: usize,
    /// Wrong answers by class, in the order the classes are tried.
    pub classes: Vec<ClassCeiling>,
    /// Tags and documents against chance, the least probable first.
    pub clusters: Vec<Cluster>,
    /// By tag: questions, and wrong answers by class.
    pub tags: BTreeMap<String, TagClasses>,
    /// The wrong answers, in the order of the run.
    pub wrong: Vec<DiagnosedQuestion>,
}

impl Diagnosis {
    /// Share of the wrong answers that no class explains; 0 without any.
    pub fn unexplained(&self) -> f64 {
        let is = |q: &&DiagnosedQuestion| q.class == Class::Unexplained;
        self.wrong.iter().filter(is).count() as f64 / self.wrong.len().max(1) as f64
    }

    /// Wrong answers that a repair would win.
    pub fn ceiling(&self, repair: Repair) -> usize {
        let won = |q: &&DiagnosedQuestion| q.repairs.contains(&repair);
        self.wrong.iter().filter(won).count()
    }
}

/// The wrong answers of a class, and how many of them each repair could still win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassCeiling {
    /// The class.
    pub class: Class,
    /// Wrong answers.
    pub wrong: usize,
    /// By repair, the questions that it could win at the most; repairs that win none are left out.
    pub ceilings: BTreeMap<Repair, usize>,
    /// What to try first: the repair with the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Repair>,
}

/// A tag or a document among the questions answered wrongly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cluster {
    /// Which of the two.
    pub kind: ClusterKind,
    /// The tag, or the id of the document.
    pub name: String,
    /// Questions with it.
    pub questions: usize,
    /// Wrong ones of these.
    pub wrong: usize,
    /// Chance to see so many or more (hypergeometric upper tail, Fisher's exact test).
    pub p: f64,
    /// p by Holm over all of its kind that could fall below 0.05 at all.
    pub p_holm: f64,
}

/// What a cluster is of.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClusterKind {
    /// A tag of the gold set.
    Tag,
    /// The document that holds the evidence.
    Document,
}

/// Questions with a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagClasses {
    /// Answerable ones that were read end to end.
    pub questions: usize,
    /// Wrong answers by class.
    pub wrong: BTreeMap<Class, usize>,
}

/// A wrong answer and what became of it in the reruns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosedQuestion {
    /// Id of the question.
    pub id: QuestionId,
    /// As asked.
    pub question: String,
    /// Tags of the gold set.
    pub tags: Vec<String>,
    /// Reference answers.
    pub references: Vec<String>,
    /// What came.
    pub answer: String,
    /// Why it is wrong: the first class that holds.
    pub class: Class,
    /// What shows the class.
    pub shown_by: Proof,
    /// What else is to be noted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Place of the best passage with evidence among those found; absent where none has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_rank: Option<usize>,
    /// The reruns, in the order of [`RerunKind::ALL`]; one that makes no sense here is left out.
    pub reruns: Vec<Rerun>,
    /// Repairs that could win it.
    pub repairs: Vec<Repair>,
}

impl DiagnosedQuestion {
    /// Whether a rerun gave the right answer; none where it was not made.
    pub fn right(&self, kind: RerunKind) -> Option<bool> {
        let rerun = self.reruns.iter().find(|rerun| rerun.kind == kind);
        rerun.map(|rerun| rerun.right)
    }
}

/// A question read again from another context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rerun {
    /// From which.
    pub kind: RerunKind,
    /// Chunks offered, best first.
    pub chunks: Vec<ChunkId>,
    /// The answer.
    pub answer: String,
    /// Whether it is right.
    pub right: bool,
    /// Whether it is a refusal.
    pub abstained: bool,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// From what a question is read again.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RerunKind {
    /// The evidence alone.
    Evidence,
    /// The same context without its distractors.
    NoDistractors,
    /// The evidence moved to the first place, and what was read behind it.
    EvidenceFirst,
    /// What BM25 finds alone, where the evidence is in it.
    Bm25,
    /// What the dense leg finds alone, where the evidence is in it.
    Dense,
    /// The same context without the evidence.
    NoEvidence,
}

impl RerunKind {
    /// Every rerun.
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

/// What shows a class.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The message of the failure.
    Error,
    /// The ranks of the evidence.
    Ranks,
    /// The passages that were dropped.
    Context,
    /// The refusal itself.
    Answer,
    /// A claim that the context does not support.
    Claims,
    /// The rerun without distractors, which is right.
    NoDistractors,
    /// The rerun from the evidence alone, which is wrong.
    Evidence,
    /// Nothing.
    None,
}

/// What could turn a wrong answer into a right one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Other chunks: no chunk holds the evidence whole, or the budget cut it off; right from the
    /// evidence alone.
    Chunking,
    /// Right from what one leg finds alone.
    OtherLeg,
    /// The evidence was read; right with it in the first place.
    Order,
    /// The evidence was found; right without the passages beside it or, where it was not read, in
    /// the first place.
    Rerank,
    /// Right from the evidence alone or in the first place, and none of the above.
    Retrieval,
    /// Wrong in every rerun: prompt or reader.
    Prompt,
    /// Wrong in every rerun, and yet supported by the context, with the same answer from the
    /// evidence alone: the references may be at fault.
    Gold,
}

impl Repair {
    /// Every repair, the cheapest first.
    pub const ALL: [Self; 7] = [
        Self::Chunking,
        Self::OtherLeg,
        Self::Order,
        Self::Rerank,
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
            Self::Retrieval => "retrieval",
            Self::Prompt => "prompt",
            Self::Gold => "gold",
        })
    }
}
