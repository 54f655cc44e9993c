use fiel_embedding::{Vectors, dot};
use hnsw_rs::prelude::{Distance, Hnsw};

use crate::Error;

/// Connections a node has on a layer.
const M: usize = 16;
/// Candidates looked at while a node is inserted.
const EF_CONSTRUCTION: usize = 100;
/// Candidates looked at in a search, unless more neighbours are asked for.
const EF_SEARCH: usize = 64;
const LAYERS: usize = 16;

/// Cosine distance of unit vectors. `hnsw_rs` wants no negative distance, which rounding would
/// give for a vector against itself.
struct ClampedDot;

impl Distance<f32> for ClampedDot {
    fn eval(&self, a: &[f32], b: &[f32]) -> f32 {
        (1.0 - dot(a, b)).max(0.0)
    }
}

/// An HNSW graph over unit vectors, built in their order on one thread: the same vectors give the
/// same graph.
pub(crate) struct Graph {
    inner: Hnsw<'static, f32, ClampedDot>,
}

impl Graph {
    /// # Errors
    /// [`Error::Unsound`] when a vector does not find itself.
    pub(crate) fn build(vectors: &Vectors) -> Result<Self, Error> {
        let inner = Hnsw::new(M, vectors.len().max(1), LAYERS, EF_CONSTRUCTION, ClampedDot);
        for (at, row) in vectors.rows().enumerate() {
            inner.insert((row, at));
        }
        let graph = Self { inner };
        // A chunk with the same text as another may be found in its stead.
        let finds_itself = |row: &[f32]| {
            graph
                .search(row, 1)
                .first()
                .is_some_and(|&near| dot(vectors.row(near), row) > 1.0 - 1e-5)
        };
        let lost = vectors.rows().filter(|row| !finds_itself(row)).count();
        if lost > 0 {
            return Err(Error::Unsound {
                lost,
                total: vectors.len(),
            });
        }
        Ok(graph)
    }

    /// Positions of about the `k` nearest vectors, in no order to rely on.
    pub(crate) fn search(&self, query: &[f32], k: usize) -> Vec<usize> {
        self.inner
            .search(query, k, EF_SEARCH.max(k))
            .into_iter()
            .map(|n| n.d_id)
            .collect()
    }
}
