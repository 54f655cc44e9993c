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
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
}

impl Default for RetrieveSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Hybrid,
            dense: DenseChoice::Auto,
            top_k: 10,
            depth: 100,
            rrf_k: 60.0,
        }
    }
}

impl RetrieveSettings {
    /// # Errors
    /// [`Error::BadSetting`] naming the key and what it may be.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |setting, value: String, reason| {
            Err(Error::BadSetting {
                setting,
                value,
                reason,
            })
        };
        if self.top_k == 0 {
            return bad(
                "retrieve.top_k",
                self.top_k.to_string(),
                "it must be at least 1",
            );
        }
        if self.depth < self.top_k {
            return bad(
                "retrieve.depth",
                self.depth.to_string(),
                "it may not be smaller than retrieve.top_k",
            );
        }
        if !self.rrf_k.is_finite() || self.rrf_k < 0.0 {
            return bad(
                "retrieve.rrf_k",
                self.rrf_k.to_string(),
                "it must be 0 or more",
            );
        }
        Ok(())
    }
}
