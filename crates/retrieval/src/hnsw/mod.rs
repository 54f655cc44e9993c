//! Approximate nearest neighbours by HNSW (Malkov and Yashunin, 2018).

mod dump;

use std::{fmt, path::Path};

use fiel_embedding::{Vectors, dot};
use hnsw_rs::prelude::{Distance, Hnsw};

use self::dump::Dump;

/// Connections of a node on a layer.
const M: usize = 16;
/// Candidates examined when a node is inserted.
const EF_CONSTRUCTION: usize = 100;
/// Minimum of candidates examined in a search. There are always at least twice as many as requested
/// neighbours: with as many candidates as neighbours, one of 300 questions of SciFact lost its
/// document.
const EF_SEARCH: usize = 64;
/// Maximum of candidates examined in a search if fewer do not let every chunk find itself.
const EF_SEARCH_MOST: usize = 1024;
const LAYERS: usize = 16;

/// Cosine distance of unit vectors. `hnsw_rs` rejects negative distances, which rounding would give
/// for a vector and itself.
#[derive(Default)]
pub(crate) struct ClampedDot;

impl Distance<f32> for ClampedDot {
    fn eval(&self, a: &[f32], b: &[f32]) -> f32 {
        (1.0 - dot(a, b)).max(0.0)
    }
}

/// A graph in which vectors are not found by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsound {
    /// Number of vectors that do not find themselves.
    pub lost: usize,
    /// Number of distinct vectors.
    pub total: usize,
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lost, total } = self;
        write!(
            f,
            "dense search is exact, because {lost} of {total} vectors do not find themselves in the \
             HNSW graph"
        )
    }
}

pub(crate) type Inner = Hnsw<'static, f32, ClampedDot>;

/// An HNSW graph over unit vectors. It is built in their order on one thread, so the same vectors
/// always give the same graph.
pub(crate) struct Graph {
    inner: Inner,
    ef: usize,
}

impl Graph {
    /// Loads the graph of the vectors from the folder `dumps`, or builds it if there is no intact
    /// dump. A new graph is checked: searched with its own vector, every chunk must come first. The
    /// number of candidates is doubled until it does.
    ///
    /// A graph that cannot be written to `dumps` is built again the next time.
    ///
    /// # Errors
    /// [`Unsound`] if a vector does not find itself among 1,024 candidates.
    pub(crate) fn build(vectors: &Vectors, dumps: Option<&Path>) -> Result<Self, Unsound> {
        let dump = dumps.map(|dir| Dump::new(dir, vectors));
        if let Some((inner, ef)) = dump.as_ref().and_then(Dump::load) {
            return Ok(Self { inner, ef });
        }
        let inner = Hnsw::new(M, vectors.len().max(1), LAYERS, EF_CONSTRUCTION, ClampedDot);
        for (position, row) in vectors.rows().enumerate() {
            inner.insert((row, position));
        }
        let mut graph = Self { inner, ef: EF_SEARCH };
        let mut lost: Vec<&[f32]> = vectors.rows().collect();
        loop {
            lost.retain(|row| !graph.finds(vectors, row));
            if lost.is_empty() {
                break;
            }
            if graph.ef >= EF_SEARCH_MOST {
                return Err(Unsound { lost: lost.len(), total: vectors.len() });
            }
            graph.ef *= 2;
        }
        if let Some(dump) = dump {
            let _ = dump.store(&graph.inner, graph.ef);
        }
        Ok(graph)
    }

    /// Whether a vector finds itself or an equal one.
    fn finds(&self, vectors: &Vectors, row: &[f32]) -> bool {
        let first = self.search(row, 1).first().copied();
        first.is_some_and(|near| dot(vectors.row(near), row) > 1.0 - 1e-5)
    }

    /// Positions of approximately the `k` nearest vectors, in unspecified order.
    pub(crate) fn search(&self, query: &[f32], k: usize) -> Vec<usize> {
        let found = self.inner.search(query, k, self.ef.max(2 * k));
        found.into_iter().map(|n| n.d_id).collect()
    }
}
