//! The figures of a whole run, and what it was made of.

use std::collections::BTreeMap;

use fiel_metrics::{Estimate, Measure};
use fiel_text::id::QuestionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Class, Column, EvalMode};

/// Name and version of `summary.json`.
pub const SUMMARY_SCHEMA: &str = "fiel.summary/1";

/// A run in figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// [`SUMMARY_SCHEMA`].
    pub schema: String,
    /// What the run was made of.
    pub manifest: Manifest,
    /// Questions with and without an answer in the base.
    pub answerable: usize,
    /// Questions without an answer in the base.
    pub unanswerable: usize,
    /// Questions planned; more than the records of a run that was stopped.
    pub planned: usize,
    /// By mode (`retrieval`, `oracle`, `e2e`), then by measure.
    #[serde(serialize_with = "by_name")]
    pub measures: BTreeMap<EvalMode, BTreeMap<Measure, Estimate>>,
    /// The [headline](crate::headline) measures by tag.
    #[serde(default)]
    pub slices: BTreeMap<String, BTreeMap<Column, Estimate>>,
    /// Targets of the gold set.
    pub targets: Vec<Target>,
    /// End-to-end answers against answerability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstention: Option<Abstention>,
    /// F1 against the share of questions answered, by the guard's margin; empty without a guard.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub coverage: Vec<CoveragePoint>,
    /// How far answers to the same prompt lie apart, by mode, with `--repeat`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default, serialize_with = "by_name")]
    pub spread: BTreeMap<EvalMode, Spread>,
    /// Oracle F1 against end-to-end F1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readers: Option<ReaderComparison>,
    /// Where to work first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Wrong end-to-end answers by class.
    pub classes: BTreeMap<Class, usize>,
    /// By what answers were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeSummary>,
    /// What a language model had to do with the claims, where one cut the answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitSummary>,
    /// What approximate search loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_loss: Option<DenseLoss>,
    /// Tokens of the reader, by mode.
    #[serde(serialize_with = "by_name")]
    pub tokens: BTreeMap<EvalMode, Tokens>,
    /// Cost of reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Questions that failed, by their message.
    pub errors: BTreeMap<String, usize>,
    /// SHA-256 of `records.jsonl`.
    pub records_sha256: String,
    /// What no comparison looks at.
    pub timing: Timing,
}

/// What decides the bytes of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// SHA-256 over all that follows: equal keys, equal records.
    pub key: String,
    /// Version of Fiel.
    pub version: String,
    /// Knowledge base, by name.
    pub kb: String,
    /// SHA-256 of its documents.
    pub kb_sha256: String,
    /// Gold set, by name.
    pub gold: String,
    /// SHA-256 of its questions.
    pub gold_sha256: String,
    /// Questions asked: `test`, `dev` or `all`, and any narrower choice.
    pub questions: String,
    /// Modes, in order.
    pub modes: Vec<EvalMode>,
    /// Passages beside the evidence in oracle mode.
    pub distractors: usize,
    /// Documents and chunks.
    pub documents: usize,
    /// Chunks.
    pub chunks: usize,
    /// SHA-256 of all chunks.
    pub chunks_sha256: String,
    /// SHA-256 of what the indexes hold: language, ids and vectors.
    #[serde(default)]
    pub index_sha256: String,
    /// Id and digest of the embedder.
    pub embedder: String,
    /// Digest of its files.
    pub embedder_sha256: String,
    /// What the judgements of claims and answers depend on, where any is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Key of the cross-encoder, where one reranks: its files and how they are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// Id of the reader, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
    /// Digest of its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader_sha256: Option<String>,
    /// SHA-256 of the prompts; absent where nothing was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts_sha256: Option<String>,
    /// The system that was scored, when it is another than Fiel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// `cpu`, `cuda` or `metal`.
    pub device_class: String,
    /// Unit of a claim.
    pub claim_unit: String,
    /// SHA-256 of the settings.
    #[serde(default)]
    pub settings_sha256: String,
    /// All settings as they were resolved, by the tables of fiel.toml.
    pub settings: serde_json::Value,
}

/// Writes the modes in the order of their names, as `fiel.summary/1` always did.
fn by_name<T: Serialize, S: Serializer>(
    map: &BTreeMap<EvalMode, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let by_name: BTreeMap<String, &T> = map.iter().map(|(m, v)| (m.to_string(), v)).collect();
    by_name.serialize(serializer)
}

impl Summary {
    /// The estimate of a measure, where the run has it.
    pub fn estimate(&self, column: Column) -> Option<&Estimate> {
        self.measures.get(&column.mode)?.get(&column.measure)
    }
}

/// A target of the gold set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    /// The mode.
    pub mode: EvalMode,
    /// The measure whose mean must reach `bound`, or stay below it where a smaller value is the
    /// better one.
    pub measure: Measure,
    /// The bound.
    #[serde(alias = "at_least")]
    pub bound: f64,
    /// The mean; absent when the mode was not run.
    pub mean: Option<f64>,
    /// Whether it was reached; absent when the mode was not run.
    pub met: Option<bool>,
}

impl Target {
    /// Whether a mean is on the right side.
    pub fn is_met_by(&self, mean: f64) -> bool {
        self.measure.direction().meets(mean, self.bound)
    }

    /// `≥ 0.80`, `< 0.10`.
    pub fn sign(&self) -> String {
        format!("{} {:.2}", self.measure.direction().target_sign(), self.bound)
    }
}

/// A target of the whole answer's latency, from question to answer, of uncached questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyTarget {
    /// 50, 95 or 99.
    pub percentile: u8,
    /// Milliseconds that the percentile must stay below.
    pub below_ms: f64,
    /// The percentile; absent when no question was answered uncached.
    pub ms: Option<f64>,
    /// Whether it stayed below.
    pub met: Option<bool>,
}

impl std::fmt::Display for LatencyTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { percentile, below_ms, .. } = self;
        write!(f, "p{percentile} of the whole answer below {below_ms} ms")
    }
}

/// By what answers were judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSummary {
    /// What grounding and hallucination are measured by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scorer: Option<String>,
    /// The language model that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether it judges its own answers.
    pub same_as_reader: bool,
    /// Why its figures are not to be relied on: no labels for this gold set, or too many that
    /// disagree. Absent when people agree with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncalibrated: Option<String>,
    /// Tokens that it read.
    pub tokens: usize,
}

/// The answers of a run, whose sentences a language model split into claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SplitSummary {
    /// The model.
    pub model: String,
    /// Sentences it was given.
    pub sentences: usize,
    /// Of these, those whose claims said more or less than the sentence, and that were cut into
    /// clauses instead.
    pub refused: usize,
    /// Tokens of prompts and claims.
    pub tokens: usize,
}

/// The four cells of answered or refused against answerable or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Abstention {
    /// Answerable and answered.
    pub answered: usize,
    /// Answerable and refused.
    pub over_refusals: usize,
    /// Unanswerable and answered.
    pub false_answers: usize,
    /// Unanswerable and refused.
    pub correct_refusals: usize,
}

/// Answers to the same prompts at a temperature, over answerable questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Answers to each question.
    pub answers: usize,
    /// Questions.
    pub questions: usize,
    /// Mean F1 of the first answers, of the second, and so on.
    pub f1: Vec<f64>,
    /// Mean over questions of the standard deviation of F1 (n − 1).
    pub deviation: f64,
    /// Share of questions all of whose answers are the same text.
    pub same: f64,
    /// Share of questions with right answers and wrong ones.
    pub undecided: f64,
}

/// What would be if only the questions with the greatest margins were answered (risk against
/// coverage; El-Yaniv and Wiener, 2010).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoveragePoint {
    /// Share of all questions that are answered.
    pub answered: f64,
    /// Mean F1 of their answers; an answer to an unanswerable question has 0.
    pub f1: f64,
    /// The least margin among them.
    pub margin: f64,
}

impl Abstention {
    /// Correct refusals among refusals; undefined without any.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.correct_refusals, self.correct_refusals + self.over_refusals)
    }

    /// Unanswerable questions that were refused; undefined without any.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.correct_refusals, self.correct_refusals + self.false_answers)
    }
}

impl Abstention {
    /// Harmonic mean of precision and recall; undefined where both are, 0 without any refusal.
    pub fn f1(&self) -> Option<f64> {
        let wrong = self.over_refusals + self.false_answers;
        ratio(2 * self.correct_refusals, 2 * self.correct_refusals + wrong)
    }

    /// F1 of refusing every question: what a guard must beat.
    pub fn f1_of_refusing_all(&self) -> Option<f64> {
        let unanswerable = self.correct_refusals + self.false_answers;
        let answerable = self.answered + self.over_refusals;
        ratio(2 * unanswerable, 2 * unanswerable + answerable)
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// What retrieval costs the reader.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReaderComparison {
    /// Mean F1 from the evidence alone.
    pub oracle_f1: f64,
    /// Mean F1 end to end.
    pub e2e_f1: f64,
    /// Mean of the differences, question by question.
    pub difference: f64,
    /// Its 95 % interval.
    pub low: f64,
    /// Its 95 % interval.
    pub high: f64,
    /// Oracle F1 × hit@`context_k`: what proportion would give.
    pub proportion: f64,
}

/// Where to work first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// Oracle F1 misses its target.
    Reader,
    /// Oracle F1 is above end-to-end F1 beyond chance.
    Retrieval,
    /// Faithfulness misses its target.
    Verification,
    /// None of these.
    None,
}

/// HNSW against the exact scan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DenseLoss {
    /// Mean share of the exact ten nearest that HNSW found.
    pub overlap_at_10: f64,
    /// hit@5 with HNSW minus hit@5 with the exact scan.
    pub hit_at_5: f64,
    /// The same for nDCG@10.
    pub ndcg_at_10: f64,
    /// The question with the least overlap, when any lost something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<QuestionId>,
}

/// Tokens a question takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// Questions read.
    pub questions: usize,
    /// Tokens of all prompts.
    pub prompt: usize,
    /// Tokens of all answers.
    pub answer: usize,
}

impl Tokens {
    /// Mean of prompt and answer.
    pub fn means(&self) -> (f64, f64) {
        let n = self.questions.max(1) as f64;
        (self.prompt as f64 / n, self.answer as f64 / n)
    }
}

/// Cost of end-to-end reading by the price table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Of one question.
    pub per_question: f64,
    /// Of a month of `questions_per_month`.
    pub per_month: f64,
    /// Questions a month, from the settings.
    pub questions_per_month: f64,
}

/// Percentiles in milliseconds by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Half are faster.
    pub p50: f64,
    /// 95 of 100 are faster.
    pub p95: f64,
    /// 99 of 100 are faster.
    pub p99: f64,
    /// Times behind the percentiles.
    pub n: usize,
}

/// Run id, dates and times: never compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Id of the run: its folder.
    pub run: String,
    /// Start, in UTC.
    pub started: String,
    /// Wall time of the whole run in seconds.
    pub seconds: f64,
    /// Threads of the pool.
    pub threads: usize,
    /// Name of the processor.
    pub machine: String,
    /// By stage, of uncached questions.
    pub latency: BTreeMap<String, Latency>,
    /// Targets of the latency.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<LatencyTarget>,
    /// Answers that came from the cache.
    pub cached_answers: usize,
    /// Answers that the reader made.
    pub fresh_answers: usize,
    /// Questions answered end to end per second, uncached ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions_per_second: Option<f64>,
    /// Peak resident memory in bytes, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Git commit of the working directory, when it is a checkout; `-dirty` where it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    /// What the person who started the run wrote about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
