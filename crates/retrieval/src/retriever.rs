use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use fiel_corpus::{Chunk, sha256_hex};
use fiel_embedding::{Embedder, Vectors};

use crate::{
    Bm25, Dense, DenseKind, Error, Language, Mode, RetrieveSettings, Scored, reciprocal_rank_fusion,
};

/// Place and score of a passage in one leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegHit {
    /// From 1.
    pub rank: usize,
    /// BM25 weight or cosine.
    pub score: f64,
}

/// A passage that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Position among [`Retriever::chunks`].
    pub chunk: usize,
    /// Score of the fusion, or of the only leg.
    pub score: f64,
    /// Where BM25 had it.
    pub bm25: Option<LegHit>,
    /// Where the dense leg had it.
    pub dense: Option<LegHit>,
}

/// The passages of a question, best first, and the time each leg took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retrieved {
    /// Best first.
    pub hits: Vec<Hit>,
    /// The ten nearest chunks of the dense leg, nearest first, fused or not.
    pub nearest: Vec<usize>,
    /// Embedding the question.
    pub embed_time: Duration,
    /// Dense search.
    pub dense_time: Duration,
    /// BM25.
    pub bm25_time: Duration,
}

/// The indexes over a set of chunks.
pub struct Retriever {
    chunks: Vec<Chunk>,
    bm25: Bm25,
    dense: Dense,
    settings: RetrieveSettings,
    language: Language,
}

impl Retriever {
    /// Indexes chunks with their vectors. Chunks are put in the order of their ids, which decides
    /// between equal scores.
    ///
    /// # Errors
    /// When settings or numbers do not fit, or an index cannot be built.
    pub fn build(
        chunks: Vec<Chunk>,
        vectors: &Vectors,
        language: Language,
        settings: RetrieveSettings,
    ) -> Result<Self, Error> {
        settings.check()?;
        if chunks.len() != vectors.len() {
            return Err(Error::Mismatch {
                chunks: chunks.len(),
                vectors: vectors.len(),
            });
        }
        let mut order: Vec<usize> = (0..chunks.len()).collect();
        order.sort_by(|&a, &b| chunks[a].id.cmp(&chunks[b].id));
        let mut sorted = Vectors::new(vectors.dim());
        order.iter().for_each(|&at| sorted.push(vectors.row(at)));
        let mut slots: Vec<Option<Chunk>> = chunks.into_iter().map(Some).collect();
        let chunks: Vec<Chunk> = order.iter().filter_map(|&at| slots[at].take()).collect();
        let passages: Vec<String> = chunks.iter().map(Chunk::passage).collect();
        let bm25 = Bm25::build(passages.iter().map(String::as_str), language)?;
        let dense = Dense::build(sorted, settings.dense)?;
        Ok(Self {
            chunks,
            bm25,
            dense,
            settings,
            language,
        })
    }

    /// All chunks, ordered by id.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// SHA-256 over what the indexes hold: the language of BM25, and the id and vector of each
    /// chunk. Texts are not in it.
    pub fn digest(&self) -> String {
        let mut all = format!("{:?}\n", self.language);
        for (chunk, vector) in self.chunks.iter().zip(self.dense.vectors().rows()) {
            let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
            all.push_str(&format!("{}\t{}\n", chunk.id, sha256_hex(&bytes)));
        }
        sha256_hex(all.as_bytes())
    }

    /// How it was asked to retrieve.
    pub fn settings(&self) -> &RetrieveSettings {
        &self.settings
    }

    /// How the dense leg searches.
    pub fn dense_kind(&self) -> DenseKind {
        self.dense.kind()
    }

    /// The passages for a question.
    ///
    /// # Errors
    /// [`Error::EmptyQuestion`], or when a leg fails: the other never answers alone in its stead.
    pub fn search(&self, embedder: &Embedder, question: &str) -> Result<Retrieved, Error> {
        self.search_with(embedder, question, false)
    }

    /// The same with an exact scan in the dense leg: what HNSW loses is the difference.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_exact(&self, embedder: &Embedder, question: &str) -> Result<Retrieved, Error> {
        self.search_with(embedder, question, true)
    }

    fn search_with(
        &self,
        embedder: &Embedder,
        question: &str,
        exact: bool,
    ) -> Result<Retrieved, Error> {
        if question.trim().is_empty() {
            return Err(Error::EmptyQuestion);
        }
        let RetrieveSettings {
            mode,
            depth,
            top_k,
            rrf_k,
            ..
        } = self.settings;
        let mut out = Retrieved::default();
        let mut dense = Vec::new();
        if mode != Mode::Bm25 {
            let started = Instant::now();
            let query = embedder.embed(&[question], &mut |_| {})?;
            out.embed_time = started.elapsed();
            let started = Instant::now();
            dense = match exact {
                true => self.dense.exact(query.row(0), depth)?,
                false => self.dense.search(query.row(0), depth)?,
            };
            out.dense_time = started.elapsed();
            out.nearest = dense.iter().take(10).map(|s| s.item).collect();
        }
        let mut bm25 = Vec::new();
        if mode != Mode::Vector {
            let started = Instant::now();
            bm25 = self.bm25.search(question, depth)?;
            out.bm25_time = started.elapsed();
        }
        let fused = match mode {
            Mode::Vector => dense[..dense.len().min(top_k)].to_vec(),
            Mode::Bm25 => bm25[..bm25.len().min(top_k)].to_vec(),
            Mode::Hybrid => {
                let items = |list: &[Scored]| list.iter().map(|s| s.item).collect::<Vec<_>>();
                reciprocal_rank_fusion(&[items(&dense), items(&bm25)], rrf_k, top_k)?
            }
        };
        let (dense, bm25) = (by_item(&dense), by_item(&bm25));
        let hit = |s: Scored| Hit {
            chunk: s.item,
            score: s.score,
            bm25: bm25.get(&s.item).copied(),
            dense: dense.get(&s.item).copied(),
        };
        out.hits = fused.into_iter().map(hit).collect();
        Ok(out)
    }
}

fn by_item(list: &[Scored]) -> BTreeMap<usize, LegHit> {
    list.iter()
        .enumerate()
        .map(|(at, s)| {
            (
                s.item,
                LegHit {
                    rank: at + 1,
                    score: s.score,
                },
            )
        })
        .collect()
}
