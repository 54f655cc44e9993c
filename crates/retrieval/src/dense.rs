//! Dense search: nearest neighbours by cosine.

use std::{collections::BTreeMap, fmt, path::Path};

use fiel_embedding::{Vectors, dot};

use crate::{
    DenseChoice, Error,
    hnsw::{Graph, Unsound},
    order::{ScoredItem, top_k},
};

/// Largest number of vectors for which `auto` means exact: a scan takes a few milliseconds.
const EXACT_UP_TO: usize = 20_000;

/// The method of a dense index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenseKind {
    /// Compares every vector.
    Exact,
    /// Searches an HNSW graph.
    Hnsw,
}

impl fmt::Display for DenseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Hnsw => "hnsw",
        })
    }
}

/// Nearest neighbours among unit vectors by cosine.
pub struct Dense {
    vectors: Vectors,
    graph: Option<UniqueGraph>,
    unsound: Option<Unsound>,
}

/// A graph over distinct vectors. Thousands of equal ones would be connected to each other alone.
struct UniqueGraph {
    graph: Graph,
    /// Positions of the vectors that are equal to each vector of the graph.
    members: Vec<Vec<usize>>,
}

impl UniqueGraph {
    fn build(vectors: &Vectors, dumps: Option<&Path>) -> Result<Self, Unsound> {
        let mut distinct = Vectors::new(vectors.dim());
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut places: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        for (position, row) in vectors.rows().enumerate() {
            let bits = row.iter().map(|x| x.to_bits()).collect();
            let place = *places.entry(bits).or_insert(members.len());
            if place == members.len() {
                distinct.push(row);
                members.push(Vec::new());
            }
            members[place].push(position);
        }
        Ok(Self { graph: Graph::build(&distinct, dumps)?, members })
    }
}

impl Dense {
    /// Indexes unit vectors. `dumps` is the folder that caches graphs between runs.
    ///
    /// If a graph does not find its own vectors, the search is exact; see [`Dense::unsound`].
    pub fn build(vectors: Vectors, choice: DenseChoice, dumps: Option<&Path>) -> Self {
        let has_graph = match choice {
            DenseChoice::Auto => vectors.len() > EXACT_UP_TO,
            DenseChoice::Exact => false,
            DenseChoice::Hnsw => true,
        };
        match has_graph.then(|| UniqueGraph::build(&vectors, dumps)).transpose() {
            Ok(graph) => Self { vectors, graph, unsound: None },
            Err(unsound) => Self { vectors, graph: None, unsound: Some(unsound) },
        }
    }

    /// Why the search is exact although HNSW was chosen.
    pub fn unsound(&self) -> Option<Unsound> {
        self.unsound
    }

    /// The method that [`search`](Self::search) uses.
    pub fn kind(&self) -> DenseKind {
        if self.graph.is_some() { DenseKind::Hnsw } else { DenseKind::Exact }
    }

    /// The vectors, by position.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// The `k` nearest vectors; approximately so with HNSW. Scores are exact cosines with either
    /// method.
    ///
    /// # Errors
    /// [`Error::BadK`] if `k` is 0, [`Error::NotANumber`] if the query contains NaN.
    pub fn search(&self, query: &[f32], k: usize) -> Result<Vec<ScoredItem>, Error> {
        // `exact` rejects a `k` of 0.
        let Some(graph) = self.graph.as_ref().filter(|_| k > 0) else {
            return self.exact(query, k);
        };
        let near = graph.graph.search(query, k.min(graph.members.len()).max(1));
        let positions = near.into_iter().flat_map(|place| &graph.members[place]);
        top_k(positions.map(|position| self.scored(*position, query)), k)
    }

    /// The `k` nearest vectors, comparing all: the reference for HNSW.
    ///
    /// # Errors
    /// Same as [`search`](Self::search).
    pub fn exact(&self, query: &[f32], k: usize) -> Result<Vec<ScoredItem>, Error> {
        if k == 0 {
            return Err(Error::BadK);
        }
        let scored = (0..self.vectors.len()).map(|position| self.scored(position, query));
        top_k(scored, k)
    }

    fn scored(&self, item: usize, query: &[f32]) -> ScoredItem {
        ScoredItem { item, score: f64::from(dot(self.vectors.row(item), query)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unit vectors from a small generator.
    fn vectors(count: usize, dim: usize) -> Vectors {
        let mut state = 7u64;
        let mut out = Vectors::new(dim);
        for _ in 0..count {
            let row: Vec<f32> = (0..dim)
                .map(|_| {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
                })
                .collect();
            let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt();
            out.push(&row.iter().map(|x| x / norm).collect::<Vec<_>>());
        }
        out
    }

    #[test]
    fn hnsw_is_the_same_every_time_and_near_the_exact_scan() {
        let all = vectors(500, 24);
        let build = || Dense::build(all.clone(), DenseChoice::Hnsw, None);
        let (a, b) = (build(), build());
        let mut shared = 0;
        for index in 0..50 {
            let query = all.row(index * 7);
            let (found, again) =
                (a.search(query, 10).expect("found"), b.search(query, 10).expect("found"));
            assert_eq!(found, again);
            let exact = a.exact(query, 10).expect("exact");
            assert_eq!(
                found[0].item,
                index * 7,
                "a vector against itself comes first and does not panic"
            );
            shared += exact.iter().filter(|e| found.contains(e)).count();
        }
        assert!(shared >= 490, "{shared} of 500 neighbours");
    }

    #[test]
    fn thousands_of_equal_vectors_hide_no_other() {
        let mut all = vectors(10, 24);
        let same = all.row(3).to_vec();
        (0..2000).for_each(|_| all.push(&same));
        let dense = Dense::build(all.clone(), DenseChoice::Hnsw, None);
        assert_eq!((dense.kind(), dense.unsound()), (DenseKind::Hnsw, None));
        for position in 0..10 {
            let query = all.row(position);
            let found = dense.search(query, 5).expect("found");
            assert_eq!(found, dense.exact(query, 5).expect("exact"), "{position}");
        }
    }

    #[test]
    fn auto_is_exact_for_a_small_base() {
        let dense = Dense::build(vectors(10, 8), DenseChoice::Auto, None);
        assert_eq!(dense.kind(), DenseKind::Exact);
        assert!(matches!(dense.search(&[0.0; 8], 0), Err(Error::BadK)));
        assert!(matches!(dense.search(&[f32::NAN; 8], 3), Err(Error::NotANumber(_))));
        let single = Dense::build(vectors(1, 8), DenseChoice::Hnsw, None);
        assert_eq!(single.search(&[0.5; 8], 10).expect("found").len(), 1);
    }

    #[test]
    fn a_dump_gives_the_same_answers_and_a_damaged_one_is_rebuilt() {
        let dir = tempfile::tempdir().expect("folder");
        let all = vectors(300, 16);
        let build = || Dense::build(all.clone(), DenseChoice::Hnsw, Some(dir.path()));
        let answers = |dense: &Dense| -> Vec<Vec<ScoredItem>> {
            let query = |index: usize| dense.search(all.row(index * 11), 10).expect("found");
            (0..20).map(query).collect()
        };
        let built = answers(&build());
        let files = || -> Vec<std::path::PathBuf> {
            let mut all: Vec<_> = std::fs::read_dir(dir.path())
                .expect("folder")
                .map(|e| e.expect("entry").path())
                .collect();
            all.sort();
            all
        };
        assert_eq!(files().len(), 3, "graph, data and seal");
        assert_eq!(answers(&build()), built, "from the dump");
        for damaged in files() {
            let bytes = std::fs::read(&damaged).expect("file");
            std::fs::write(&damaged, &bytes[..bytes.len() / 2]).expect("cut short");
            assert_eq!(answers(&build()), built, "{}", damaged.display());
            assert_eq!(std::fs::read(&damaged).expect("file"), bytes, "rewritten");
        }
    }
}
