use std::path::Path;

use fiel_embedding::{Vectors, dot};
use hnsw_rs::prelude::{Distance, Hnsw};

use crate::{Error, dump::Dump};

/// Connections a node has on a layer.
pub(crate) const M: usize = 16;
/// Candidates looked at while a node is inserted.
pub(crate) const EF_CONSTRUCTION: usize = 100;
/// Candidates looked at in a search at least; never fewer than twice the neighbours asked for (on
/// SciFact one of 300 questions lost its document with as many candidates as neighbours).
const EF_SEARCH: usize = 64;
/// Candidates looked at at most, where fewer do not let every chunk find itself.
const EF_SEARCH_MOST: usize = 1024;
const LAYERS: usize = 16;

/// Cosine distance of unit vectors. `hnsw_rs` wants no negative distance, which rounding would
/// give for a vector against itself.
#[derive(Default)]
pub(crate) struct ClampedDot;

impl Distance<f32> for ClampedDot {
    fn eval(&self, a: &[f32], b: &[f32]) -> f32 {
        (1.0 - dot(a, b)).max(0.0)
    }
}

/// The graph itself, as `hnsw_rs` has it.
pub(crate) type Inner = Hnsw<'static, f32, ClampedDot>;

/// An HNSW graph over unit vectors, built in their order on one thread: the same vectors give the
/// same graph.
pub(crate) struct Graph {
    inner: Inner,
    ef: usize,
}

impl Graph {
    /// The graph of these vectors, from the folder of dumps where it lies there undamaged. A graph
    /// that is built is checked: searched by its own vector, every chunk must come first. Where 64
    /// candidates are too few for that, twice as many are looked at, and so on.
    ///
    /// # Errors
    /// [`Error::Unsound`] when a vector does not find itself among 1,024 candidates.
    pub(crate) fn build(vectors: &Vectors, dumps: Option<&Path>) -> Result<Self, Error> {
        let dump = dumps.map(|dir| Dump::of(dir, vectors));
        if let Some((inner, ef)) = dump.as_ref().and_then(Dump::load) {
            return Ok(Self { inner, ef });
        }
        let inner = Hnsw::new(M, vectors.len().max(1), LAYERS, EF_CONSTRUCTION, ClampedDot);
        for (at, row) in vectors.rows().enumerate() {
            inner.insert((row, at));
        }
        let mut graph = Self {
            inner,
            ef: EF_SEARCH,
        };
        let mut lost: Vec<&[f32]> = vectors.rows().collect();
        loop {
            lost.retain(|row| !graph.finds(vectors, row));
            if lost.is_empty() {
                break;
            }
            if graph.ef >= EF_SEARCH_MOST {
                return Err(Error::Unsound {
                    lost: lost.len(),
                    total: vectors.len(),
                });
            }
            graph.ef *= 2;
        }
        if let Some(dump) = dump {
            dump.store(&graph.inner, graph.ef)?;
        }
        Ok(graph)
    }

    /// Whether a vector finds itself, or another that is the same.
    fn finds(&self, vectors: &Vectors, row: &[f32]) -> bool {
        let first = self.search(row, 1).first().copied();
        first.is_some_and(|near| dot(vectors.row(near), row) > 1.0 - 1e-5)
    }

    /// Positions of about the `k` nearest vectors, in no order to rely on.
    pub(crate) fn search(&self, query: &[f32], k: usize) -> Vec<usize> {
        let found = self.inner.search(query, k, self.ef.max(2 * k));
        found.into_iter().map(|n| n.d_id).collect()
    }
}
