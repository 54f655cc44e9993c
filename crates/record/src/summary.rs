//! The measures of a run and its inputs.

use std::collections::BTreeMap;

use fiel_metrics::{Estimate, Measure};
use fiel_text::id::QuestionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Class, Column, EvalMode};

/// Name and version of `summary.json`.
pub const SUMMARY_SCHEMA: &str = "fiel.summary/1";

/// The measures of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// [`SUMMARY_SCHEMA`].
    pub schema: String,
    /// Inputs of the run.
    pub manifest: Manifest,
    /// Number of questions with an answer in the knowledge base.
    pub answerable: usize,
    /// Number of questions without an answer in the knowledge base.
    pub unanswerable: usize,
    /// Number of planned questions; more than the records if the run was stopped.
    pub planned: usize,
    /// Estimates by mode (`retrieval`, `oracle`, `e2e`) and measure.
    #[serde(serialize_with = "by_name")]
    pub measures: BTreeMap<EvalMode, BTreeMap<Measure, Estimate>>,
    /// The [headline](crate::headline) measures by tag.
    #[serde(default)]
    pub slices: BTreeMap<String, BTreeMap<Column, Estimate>>,
    /// Targets of the gold set.
    pub targets: Vec<Target>,
    /// Counts of answers and abstentions end to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstention: Option<Abstention>,
    /// F1 by share of answered questions, ordered by the margin of the guard; empty without a guard.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub coverage: Vec<CoveragePoint>,
    /// Spread of the answers to the same prompt by mode, with `--repeat`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default, serialize_with = "by_name")]
    pub spread: BTreeMap<EvalMode, Spread>,
    /// Oracle F1 against end-to-end F1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readers: Option<ReaderComparison>,
    /// The part to improve first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Wrong end-to-end answers by class.
    pub classes: BTreeMap<Class, usize>,
    /// The judges of the answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeSummary>,
    /// Account of the language model that split answers into claims, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<ClaimSplitSummary>,
    /// Loss by approximate search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_loss: Option<DenseLoss>,
    /// Tokens of the reader, by mode.
    #[serde(serialize_with = "by_name")]
    pub tokens: BTreeMap<EvalMode, Tokens>,
    /// Cost of reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Number of failed questions by error message.
    pub errors: BTreeMap<String, usize>,
    /// SHA-256 of `records.jsonl`.
    pub records_sha256: String,
    /// Times and other facts that comparisons ignore.
    pub timing: Timing,
}

/// The inputs that determine the bytes of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// SHA-256 of the fields below. Runs with equal keys have equal records.
    pub key: String,
    /// Version of Fiel.
    pub version: String,
    /// Name of the knowledge base.
    pub kb: String,
    /// SHA-256 of its documents.
    pub kb_sha256: String,
    /// Name of the gold set.
    pub gold: String,
    /// SHA-256 of its questions.
    pub gold_sha256: String,
    /// Selection of questions: `test`, `dev` or `all`, and further filters.
    pub questions: String,
    /// Modes in order.
    pub modes: Vec<EvalMode>,
    /// Number of distractor passages in oracle mode.
    pub distractors: usize,
    /// Number of documents.
    pub documents: usize,
    /// What could not be read of the knowledge base and was left out, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Number of chunks.
    pub chunks: usize,
    /// SHA-256 of all chunks.
    pub chunks_sha256: String,
    /// SHA-256 of the content of the indexes: language, ids and vectors.
    #[serde(default)]
    pub index_sha256: String,
    /// Id of the embedder.
    pub embedder: String,
    /// SHA-256 of its files.
    pub embedder_sha256: String,
    /// What the judgements of claims and answers depend on; absent without a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Key of the reranker: digest of its files and its settings; absent without a reranker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// Id of the reader; absent without a reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
    /// SHA-256 of its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader_sha256: Option<String>,
    /// SHA-256 of the prompts; absent without a reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts_sha256: Option<String>,
    /// The scored system, if it is not Fiel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// `cpu`, `cuda` or `metal`.
    pub device_class: String,
    /// Unit of a claim.
    pub claim_unit: String,
    /// SHA-256 of the settings.
    #[serde(default)]
    pub settings_sha256: String,
    /// All resolved settings, by the tables of fiel.toml.
    pub settings: serde_json::Value,
}

/// Writes the modes in the order of their names, as `fiel.summary/1` requires.
fn by_name<T: Serialize, S: Serializer>(
    map: &BTreeMap<EvalMode, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let by_name: BTreeMap<String, &T> = map.iter().map(|(m, v)| (m.to_string(), v)).collect();
    by_name.serialize(serializer)
}

impl Summary {
    /// The estimate of a measure. Returns `None` if the run does not have it.
    pub fn estimate(&self, column: Column) -> Option<&Estimate> {
        self.measures.get(&column.mode)?.get(&column.measure)
    }
}

/// A target of the gold set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    /// The mode.
    pub mode: EvalMode,
    /// The measure. Its mean must reach `bound`, or be below it if smaller values are better.
    pub measure: Measure,
    /// The bound.
    #[serde(alias = "at_least")]
    pub bound: f64,
    /// The mean; null if the mode was not run.
    pub mean: Option<f64>,
    /// Whether the target was met; null if the mode was not run.
    pub met: Option<bool>,
}

impl Target {
    /// Whether a mean meets the target.
    pub fn is_met_by(&self, mean: f64) -> bool {
        self.measure.direction().meets(mean, self.bound)
    }

    /// `≥ 0.80`, `< 0.10`.
    pub fn sign(&self) -> String {
        format!("{} {:.2}", self.measure.direction().target_sign(), self.bound)
    }
}

/// A target of the latency from question to answer over uncached questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyTarget {
    /// Percentile: 50, 95 or 99.
    pub percentile: u8,
    /// Upper bound in milliseconds, exclusive.
    pub below_ms: f64,
    /// The latency in milliseconds; null if all answers come from the cache.
    pub ms: Option<f64>,
    /// Whether the target was met; null if all answers come from the cache.
    pub met: Option<bool>,
}

impl std::fmt::Display for LatencyTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { percentile, below_ms, .. } = self;
        write!(f, "p{percentile} of the whole answer below {below_ms} ms")
    }
}

/// The judges of the answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSummary {
    /// Scorer of grounding and hallucination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scorer: Option<String>,
    /// Id of the language model that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the judge is the reader.
    pub same_as_reader: bool,
    /// Why its values are not reliable: no labels for this gold set, or too much disagreement with
    /// them. Absent if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncalibrated: Option<String>,
    /// Tokens read by the judge.
    pub tokens: usize,
}

/// The split of the answers of a run into claims by a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimSplitSummary {
    /// Id of the model.
    pub model: String,
    /// Number of sentences given to the model.
    pub sentences: usize,
    /// Number of these that were split into clauses instead, because the claims added or dropped
    /// content.
    pub refused: usize,
    /// Tokens of prompts and claims.
    pub tokens: usize,
}

/// Counts of answers and abstentions for answerable and unanswerable questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Abstention {
    /// Answerable and answered.
    pub answered: usize,
    /// Answerable, but abstained.
    pub over_refusals: usize,
    /// Unanswerable, but answered.
    pub false_answers: usize,
    /// Unanswerable and abstained.
    pub correct_refusals: usize,
}

/// Spread of several sampled answers to the same prompt, over answerable questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Number of answers per question.
    pub answers: usize,
    /// Number of questions.
    pub questions: usize,
    /// Mean F1 of the first answers, of the second answers, and so on.
    pub f1: Vec<f64>,
    /// Mean over questions of the sample standard deviation of F1 (n − 1).
    pub deviation: f64,
    /// Share of questions with identical answers.
    pub same: f64,
    /// Share of questions with right and wrong answers.
    pub undecided: f64,
}

/// A point of the risk-coverage curve (El-Yaniv and Wiener, 2010): only the questions with the
/// largest margins are answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoveragePoint {
    /// Share of the questions that are answered.
    pub answered: f64,
    /// Mean F1 of their answers; 0 for an answer to an unanswerable question.
    pub f1: f64,
    /// The smallest margin among them.
    pub margin: f64,
}

impl Abstention {
    /// Share of abstentions that are correct. Returns `None` without abstentions.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.correct_refusals, self.correct_refusals + self.over_refusals)
    }

    /// Share of unanswerable questions with an abstention. Returns `None` without such questions.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.correct_refusals, self.correct_refusals + self.false_answers)
    }

    /// Harmonic mean of precision and recall. Returns `None` if both are undefined.
    pub fn f1(&self) -> Option<f64> {
        let wrong = self.over_refusals + self.false_answers;
        ratio(2 * self.correct_refusals, 2 * self.correct_refusals + wrong)
    }

    /// F1 of abstaining on every question, the baseline of a guard.
    pub fn f1_of_refusing_all(&self) -> Option<f64> {
        let unanswerable = self.correct_refusals + self.false_answers;
        let answerable = self.answered + self.over_refusals;
        ratio(2 * unanswerable, 2 * unanswerable + answerable)
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// F1 that the reader loses by retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReaderComparison {
    /// Mean F1 with the evidence alone.
    pub oracle_f1: f64,
    /// Mean F1 end to end.
    pub e2e_f1: f64,
    /// Mean of the differences by question, oracle − end to end.
    pub difference: f64,
    /// Lower bound of its 95 % interval.
    pub low: f64,
    /// Upper bound of its 95 % interval.
    pub high: f64,
    /// Oracle F1 × hit@`context_k`: expected F1 end to end.
    pub proportion: f64,
}

/// The part to improve first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// Oracle F1 misses its target.
    Reader,
    /// Oracle F1 is significantly above end-to-end F1.
    Retrieval,
    /// A measure of claims misses its target.
    Verification,
    /// None of these.
    None,
}

/// Loss by HNSW compared with an exact scan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DenseLoss {
    /// Mean share of the ten nearest chunks that HNSW finds.
    pub overlap_at_10: f64,
    /// hit@5 with HNSW minus hit@5 with the exact scan.
    pub hit_at_5: f64,
    /// nDCG@10 with HNSW minus nDCG@10 with the exact scan.
    pub ndcg_at_10: f64,
    /// Id of the question with the smallest overlap; absent if no question lost any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<QuestionId>,
}

/// Tokens of the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// Number of questions.
    pub questions: usize,
    /// Tokens of all prompts.
    pub prompt: usize,
    /// Tokens of all answers.
    pub answer: usize,
}

impl Tokens {
    /// Mean per question of prompt and answer.
    pub fn means(&self) -> (f64, f64) {
        let n = self.questions.max(1) as f64;
        (self.prompt as f64 / n, self.answer as f64 / n)
    }
}

/// Cost of end-to-end reading by the price table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Cost per question.
    pub per_question: f64,
    /// Cost per month.
    pub per_month: f64,
    /// Questions per month, from the settings.
    pub questions_per_month: f64,
}

/// Percentiles in milliseconds by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// 50th percentile.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Number of times.
    pub n: usize,
}

/// Run id, times and other facts that comparisons ignore.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Id of the run, the name of its folder.
    pub run: String,
    /// Start in UTC.
    pub started: String,
    /// Wall time of the whole run in seconds.
    pub seconds: f64,
    /// Number of threads.
    pub threads: usize,
    /// Number of cores and name of the processor.
    pub machine: String,
    /// Latency by stage over uncached questions.
    pub latency: BTreeMap<String, Latency>,
    /// Targets of the latency.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<LatencyTarget>,
    /// Number of answers from the cache.
    pub cached_answers: usize,
    /// Number of generated answers.
    pub fresh_answers: usize,
    /// End-to-end questions per second over uncached questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions_per_second: Option<f64>,
    /// Peak resident memory in bytes; absent if the system does not report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Git commit of the working directory, with `-dirty` if files differ; absent without a checkout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    /// Note of the person who started the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
