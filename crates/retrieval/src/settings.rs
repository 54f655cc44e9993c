//! The `[chunk]`, `[retrieve]`, `[rewrite]` and `[rerank]` tables of fiel.toml.

use std::fmt;

use fiel_corpus::{ChunkKind, Chunker};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The retrievers to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Dense search alone.
    Vector,
    /// BM25 alone.
    Bm25,
    /// Both, fused into one list.
    #[default]
    Hybrid,
}

/// The method of dense search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenseChoice {
    /// Exact for up to 20,000 chunks, HNSW for more.
    #[default]
    Auto,
    /// A scan of all chunks.
    Exact,
    /// Hierarchical navigable small worlds (Malkov and Yashunin, 2018).
    Hnsw,
}

/// The method that fuses the lists of the retrievers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// Reciprocal rank fusion.
    #[default]
    Rrf,
    /// Weighted sum of scores, each list scaled to 0…1.
    MinMax,
    /// Weighted sum of scores, each list standardized to mean 0 and standard deviation 1.
    ZScore,
}

/// `[chunk]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Where documents are cut, and which texts of a chunk are indexed.
    pub kind: ChunkKind,
    /// Maximum of word pieces in a chunk, headings included.
    pub size: usize,
    /// Word pieces repeated from the previous chunk under the same heading.
    pub overlap: usize,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self { kind: ChunkKind::Structure, size: 128, overlap: 24 }
    }
}

impl ChunkSettings {
    /// The chunker with these settings.
    ///
    /// # Errors
    /// [`Error::Corpus`] if a setting is out of range.
    pub fn chunker(&self) -> Result<Chunker, Error> {
        Ok(Chunker::new(self.kind, self.size, self.overlap)?)
    }
}

/// `[retrieve]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrieveSettings {
    /// Retrievers to use.
    pub mode: Mode,
    /// Method of dense search.
    pub dense: DenseChoice,
    /// Number of passages returned and measured.
    pub top_k: usize,
    /// Number of passages that each retriever contributes to the fusion.
    pub depth: usize,
    /// Method of fusion.
    pub fusion: Fusion,
    /// Constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// Weight of dense search in the fusion.
    pub dense_weight: f64,
    /// Weight of BM25 in the fusion.
    pub bm25_weight: f64,
    /// Weight in BM25 of a word in title or headings, in addition to the passage.
    pub title_boost: f64,
    /// Weight in BM25 of an unstemmed word, in addition to its stem.
    pub exact_weight: f64,
    /// Weight in BM25 of a pair of adjacent words.
    pub pair_weight: f64,
    /// Weight in BM25 of a character 4-gram of a word.
    pub gram_weight: f64,
    /// Whether BM25 drops the stop words of the language.
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

/// The reranker of the passages found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RerankMethod {
    /// No reranking.
    #[default]
    None,
    /// Late interaction over the token vectors of the embedder.
    Late,
    /// A cross-encoder: a sequence classifier over question and passage.
    CrossEncoder,
    /// The reader model's probability of "yes" when asked whether the passage answers the question.
    Llm,
}

/// `[rerank]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RerankSettings {
    /// Reranker.
    pub method: RerankMethod,
    /// Number of passages to rerank; those below keep their order.
    pub depth: usize,
    /// Weight of the reranker's score in the new order, 0 to 1; the rest is the weight of the fused
    /// score. Both are standardized to mean 0 and standard deviation 1 over the reranked passages.
    pub weight: f64,
    /// Model of `cross-encoder`: an id, a folder or `owner/name` on the hub.
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

/// How the question is rewritten before the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RewriteMethod {
    /// No rewriting.
    #[default]
    None,
    /// RM3: the BM25 query is expanded with terms of its first hits.
    Rm3,
    /// Misspelled words are replaced by words of the index.
    Typo,
    /// The reader model writes keywords, whose hits are fused as another list.
    Llm,
}

/// `[rewrite]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewriteSettings {
    /// Method of rewriting.
    pub method: RewriteMethod,
    /// `rm3`: number of hits that terms are taken from.
    pub rm3_docs: usize,
    /// `rm3`: number of terms taken.
    pub rm3_terms: usize,
    /// `rm3`: weight of the question, 0 to 1.
    pub rm3_weight: f64,
    /// `llm`: weight of the keyword list in the fusion.
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
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// [`Error::BadSetting`] with the key and the allowed values.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one("retrieve.top_k", self.top_k)?;
        let reason = "it may not be smaller than retrieve.top_k";
        check("retrieve.depth", self.depth, self.depth >= self.top_k, reason)?;
        not_negative("retrieve.rrf_k", self.rrf_k)?;
        not_negative("retrieve.dense_weight", self.dense_weight)?;
        not_negative("retrieve.bm25_weight", self.bm25_weight)?;
        not_negative("retrieve.title_boost", self.title_boost)?;
        not_negative("retrieve.exact_weight", self.exact_weight)?;
        not_negative("retrieve.pair_weight", self.pair_weight)?;
        not_negative("retrieve.gram_weight", self.gram_weight)?;
        let has_weight = self.mode != Mode::Hybrid || self.dense_weight + self.bm25_weight > 0.0;
        let reason = "it and retrieve.bm25_weight may not both be 0";
        check("retrieve.dense_weight", self.dense_weight, has_weight, reason)
    }
}

impl RerankSettings {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// [`Error::BadSetting`] with the key and the allowed values.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one("rerank.depth", self.depth)?;
        share("rerank.weight", self.weight)
    }
}

impl RewriteSettings {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// [`Error::BadSetting`] with the key and the allowed values.
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
    check(setting, value, (0.0..=1e6).contains(&value), "it must be between 0 and 1,000,000")
}

fn share(setting: &'static str, value: f64) -> Result<(), Error> {
    check(setting, value, (0.0..=1.0).contains(&value), "it must be between 0 and 1")
}

fn check(
    setting: &'static str,
    value: impl fmt::Display,
    is_valid: bool,
    reason: &'static str,
) -> Result<(), Error> {
    let value = value.to_string();
    if is_valid { Ok(()) } else { Err(Error::BadSetting { setting, value, reason }) }
}
