use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Which legs find passages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Embeddings alone.
    Vector,
    /// BM25 alone.
    Bm25,
    /// Both, fused.
    #[default]
    Hybrid,
}

/// How the nearest vectors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenseChoice {
    /// Exact up to 20,000 chunks, HNSW above.
    #[default]
    Auto,
    /// Compare with every chunk.
    Exact,
    /// Hierarchical navigable small worlds (Malkov and Yashunin, 2018).
    Hnsw,
}

/// How the lists of the legs become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// By ranks: reciprocal rank fusion.
    #[default]
    Rrf,
    /// By scores, each list brought to 0…1.
    MinMax,
    /// By scores, each list brought to mean 0 and deviation 1.
    ZScore,
}

/// `[retrieve]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrieveSettings {
    /// Which legs.
    pub mode: Mode,
    /// How the dense leg searches.
    pub dense: DenseChoice,
    /// Passages returned and measured.
    pub top_k: usize,
    /// Passages each leg gives to the fusion.
    pub depth: usize,
    /// How the legs are fused.
    pub fusion: Fusion,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// Weight of the dense leg in the fusion.
    pub dense_weight: f64,
    /// Weight of BM25 in the fusion.
    pub bm25_weight: f64,
    /// What a word counts in BM25 when the title or the headings hold it, beside the passage.
    pub title_boost: f64,
    /// What a word as it is written counts in BM25 beside its stem.
    pub exact_weight: f64,
    /// What two words that follow one another count in BM25.
    pub pair_weight: f64,
    /// What four letters of a word that follow one another count in BM25.
    pub gram_weight: f64,
    /// Whether BM25 leaves out the stop words of the language.
    pub stop_words: bool,
}

impl Default for RetrieveSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Hybrid,
            dense: DenseChoice::Auto,
            top_k: 10,
            depth: 100,
            fusion: Fusion::Rrf,
            rrf_k: 60.0,
            dense_weight: 1.0,
            bm25_weight: 1.0,
            title_boost: 0.0,
            exact_weight: 0.0,
            pair_weight: 0.0,
            gram_weight: 0.0,
            stop_words: false,
        }
    }
}

/// What puts the passages found into another order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RerankMethod {
    /// Nothing.
    #[default]
    None,
    /// Late interaction over the embedder's own token vectors.
    Late,
    /// A sequence classifier that reads question and passage together.
    CrossEncoder,
    /// The reader's probability of "yes" to one narrow question.
    Llm,
}

/// `[rerank]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RerankSettings {
    /// What reranks.
    pub method: RerankMethod,
    /// Passages that are reranked; those below keep their order.
    pub depth: usize,
    /// Share of the reranker in the new order, 0 to 1; the rest is the fused score. Both are
    /// brought to mean 0 and deviation 1 over the passages reranked.
    pub weight: f64,
    /// The sequence classifier of `cross-encoder`: an id, a folder or `owner/name` of the hub.
    pub model: String,
}

impl Default for RerankSettings {
    fn default() -> Self {
        Self {
            method: RerankMethod::None,
            depth: 20,
            weight: 0.5,
            model: "ms-marco-MiniLM-L-6-v2".to_owned(),
        }
    }
}

/// What is searched for instead of the question, or beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RewriteMethod {
    /// The question as it is.
    #[default]
    None,
    /// BM25 with the typical words of its first hits.
    Rm3,
    /// Words that the index does not know are repaired by those it knows.
    Typo,
    /// Keywords by the reader model, as a further list.
    Llm,
}

/// `[rewrite]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewriteSettings {
    /// What rewrites.
    pub method: RewriteMethod,
    /// `rm3`: passages that give words.
    pub rm3_docs: usize,
    /// `rm3`: words taken.
    pub rm3_terms: usize,
    /// `rm3`: weight of the question itself, 0 to 1.
    pub rm3_weight: f64,
    /// `llm`: weight of the further list in the fusion.
    pub llm_weight: f64,
}

impl Default for RewriteSettings {
    fn default() -> Self {
        Self {
            method: RewriteMethod::None,
            rm3_docs: 10,
            rm3_terms: 10,
            rm3_weight: 0.5,
            llm_weight: 0.5,
        }
    }
}

impl RetrieveSettings {
    /// # Errors
    /// [`Error::BadSetting`] naming the key and what it may be.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one("retrieve.top_k", self.top_k)?;
        if self.depth < self.top_k {
            return Err(Error::BadSetting {
                setting: "retrieve.depth",
                value: self.depth.to_string(),
                reason: "it may not be smaller than retrieve.top_k",
            });
        }
        not_negative("retrieve.rrf_k", self.rrf_k)?;
        not_negative("retrieve.dense_weight", self.dense_weight)?;
        not_negative("retrieve.bm25_weight", self.bm25_weight)?;
        not_negative("retrieve.title_boost", self.title_boost)?;
        not_negative("retrieve.exact_weight", self.exact_weight)?;
        not_negative("retrieve.pair_weight", self.pair_weight)?;
        not_negative("retrieve.gram_weight", self.gram_weight)?;
        if self.mode == Mode::Hybrid && self.dense_weight + self.bm25_weight == 0.0 {
            return Err(Error::BadSetting {
                setting: "retrieve.dense_weight",
                value: self.dense_weight.to_string(),
                reason: "it and retrieve.bm25_weight may not both be 0",
            });
        }
        Ok(())
    }
}

impl RerankSettings {
    /// # Errors
    /// [`Error::BadSetting`] naming the key and what it may be.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one("rerank.depth", self.depth)?;
        share("rerank.weight", self.weight)
    }
}

impl RewriteSettings {
    /// # Errors
    /// [`Error::BadSetting`] naming the key and what it may be.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one("rewrite.rm3_docs", self.rm3_docs)?;
        at_least_one("rewrite.rm3_terms", self.rm3_terms)?;
        share("rewrite.rm3_weight", self.rm3_weight)?;
        not_negative("rewrite.llm_weight", self.llm_weight)
    }
}

fn at_least_one(setting: &'static str, value: usize) -> Result<(), Error> {
    check(setting, value, value >= 1, "it must be at least 1")
}

fn not_negative(setting: &'static str, value: f64) -> Result<(), Error> {
    let good = value.is_finite() && value >= 0.0;
    check(setting, value, good, "it must be 0 or more")
}

fn share(setting: &'static str, value: f64) -> Result<(), Error> {
    let good = (0.0..=1.0).contains(&value);
    check(setting, value, good, "it must be between 0 and 1")
}

fn check(
    setting: &'static str,
    value: impl fmt::Display,
    good: bool,
    reason: &'static str,
) -> Result<(), Error> {
    match good {
        true => Ok(()),
        false => Err(Error::BadSetting {
            setting,
            value: value.to_string(),
            reason,
        }),
    }
}
