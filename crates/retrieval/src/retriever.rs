use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use fiel_corpus::Chunk;
use fiel_embedding::Embedder;

use crate::{
    DenseKind, Error, Fusion, Index, Mode, RetrieveSettings, RewriteMethod, RewriteSettings,
    Scored, TermQuery,
    fuse::{Weighted, fuse},
    leg::Leg,
    rm3::{Feedback, expand},
};

/// Place and score of a passage in one list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegHit {
    /// From 1.
    pub rank: usize,
    /// BM25 weight, cosine, or score of the reranker.
    pub score: f64,
}

/// A passage that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// Position among [`Retriever::chunks`].
    pub chunk: usize,
    /// Score of the fusion, or of the only leg; after reranking that of the new order.
    pub score: f64,
    /// Where BM25 had it.
    pub bm25: Option<LegHit>,
    /// Where the dense leg had it.
    pub dense: Option<LegHit>,
    /// Where the further list of a rewritten question had it.
    pub rewrite: Option<LegHit>,
    /// Where the reranker alone had it.
    pub rerank: Option<LegHit>,
}

/// The passages of a question, best first, and the time each step took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retrieved {
    /// Best first.
    pub hits: Vec<Hit>,
    /// The chunks of the dense leg, nearest first, fused or not.
    pub nearest: Vec<usize>,
    /// The question as it was searched for, where it was repaired.
    pub rewritten: Option<String>,
    /// What was searched for beside it.
    pub keywords: Option<String>,
    /// Rewriting the question.
    pub rewrite_time: Duration,
    /// Embedding the question.
    pub embed_time: Duration,
    /// Dense search.
    pub dense_time: Duration,
    /// BM25.
    pub bm25_time: Duration,
    /// Reranking.
    pub rerank_time: Duration,
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question, repaired or as it was asked.
    pub text: &'a str,
    /// Keywords for a further list.
    pub keywords: Option<&'a str>,
}

impl<'a> From<&'a str> for Query<'a> {
    fn from(text: &'a str) -> Self {
        Self {
            text,
            keywords: None,
        }
    }
}

/// An index with the way it is searched.
pub struct Retriever {
    index: Arc<Index>,
    settings: RetrieveSettings,
    rewrite: RewriteSettings,
}

impl Retriever {
    /// # Errors
    /// When a setting makes no sense.
    pub fn new(
        index: Arc<Index>,
        settings: RetrieveSettings,
        rewrite: RewriteSettings,
    ) -> Result<Self, Error> {
        settings.check()?;
        rewrite.check()?;
        Ok(Self {
            index,
            settings,
            rewrite,
        })
    }

    /// What is searched.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// All chunks, ordered by id.
    pub fn chunks(&self) -> &[Chunk] {
        self.index.chunks()
    }

    /// How it was asked to retrieve.
    pub fn settings(&self) -> &RetrieveSettings {
        &self.settings
    }

    /// How the dense leg searches; `None` without one.
    pub fn dense_kind(&self) -> Option<DenseKind> {
        self.index.dense_kind()
    }

    /// The `k` best passages for a question; of each leg `retrieve.depth` are looked at, and never
    /// fewer than `k`.
    ///
    /// # Errors
    /// [`Error::EmptyQuestion`], or when a leg fails: the other never answers alone in its stead.
    pub fn search(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        k: usize,
    ) -> Result<Retrieved, Error> {
        self.search_with(embedder, query, k, false)
    }

    /// The same with an exact scan in the dense leg: what HNSW loses is the difference.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_exact(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        k: usize,
    ) -> Result<Retrieved, Error> {
        self.search_with(embedder, query, k, true)
    }

    fn search_with(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        k: usize,
        exact: bool,
    ) -> Result<Retrieved, Error> {
        if query.text.trim().is_empty() {
            return Err(Error::EmptyQuestion);
        }
        let settings = &self.settings;
        let depth = settings.depth.max(k);
        let mut out = Retrieved::default();
        let (mut dense, mut bm25, mut further) = (Leg::idle(), Leg::idle(), Leg::idle());
        if settings.mode != Mode::Bm25 {
            dense = self.dense_leg(embedder, query.text, depth, exact, &mut out)?;
            out.nearest = dense.list().iter().map(|s| s.item).collect();
        }
        if settings.mode != Mode::Vector {
            bm25 = self.bm25_leg(query.text, depth, &mut out)?;
        }
        if let Some(words) = query.keywords.filter(|words| !words.trim().is_empty()) {
            further = match settings.mode {
                Mode::Vector => self.dense_leg(embedder, words, depth, exact, &mut out)?,
                _ => self.bm25_leg(words, depth, &mut out)?,
            };
        }
        let alone = match settings.mode {
            _ if !further.list().is_empty() => None,
            Mode::Vector => Some(&dense),
            Mode::Bm25 => Some(&bm25),
            Mode::Hybrid => None,
        };
        let fused = match alone {
            Some(leg) => leg.list()[..leg.list().len().min(k)].to_vec(),
            None => self.fused([&dense, &bm25, &further], k)?,
        };
        let (dense, bm25, further) = (dense.places(), bm25.places(), further.places());
        let hit = |s: Scored| Hit {
            chunk: s.item,
            score: s.score,
            bm25: bm25.get(&s.item).copied(),
            dense: dense.get(&s.item).copied(),
            rewrite: further.get(&s.item).copied(),
            rerank: None,
        };
        out.hits = fused.into_iter().map(hit).collect();
        Ok(out)
    }

    /// Dense leg, BM25 and further list as one. Where scores are summed, every leg scores every
    /// chunk that any of them found.
    fn fused(&self, legs: [&Leg; 3], k: usize) -> Result<Vec<Scored>, Error> {
        let settings = &self.settings;
        let weights = [
            settings.dense_weight,
            settings.bm25_weight,
            self.rewrite.llm_weight,
        ];
        let lists: Vec<Vec<Scored>> = match settings.fusion {
            Fusion::Rrf => legs.iter().map(|leg| leg.list().to_vec()).collect(),
            Fusion::MinMax | Fusion::ZScore => {
                let items = legs.iter().flat_map(|leg| leg.list());
                let pool: BTreeSet<usize> = items.map(|s| s.item).collect();
                let all = legs.iter().map(|leg| leg.with_all(&self.index, &pool));
                all.collect::<Result<_, Error>>()?
            }
        };
        let lists: Vec<Weighted<'_>> = lists
            .iter()
            .zip(weights)
            .map(|(list, weight)| Weighted { list, weight })
            .collect();
        fuse(&lists, settings.fusion, settings.rrf_k, k)
    }

    fn dense_leg(
        &self,
        embedder: &Embedder,
        text: &str,
        depth: usize,
        exact: bool,
        out: &mut Retrieved,
    ) -> Result<Leg, Error> {
        let started = Instant::now();
        let query = embedder.embed(&[text], &mut |_| {})?;
        out.embed_time += started.elapsed();
        let started = Instant::now();
        let leg = Leg::dense(&self.index, query, depth, exact)?;
        out.dense_time += started.elapsed();
        Ok(leg)
    }

    fn bm25_leg(&self, text: &str, depth: usize, out: &mut Retrieved) -> Result<Leg, Error> {
        let started = Instant::now();
        let leg = Leg::bm25(&self.index, self.bm25_query(text)?, depth)?;
        out.bm25_time += started.elapsed();
        Ok(leg)
    }

    /// The terms that BM25 looks for, with their weights.
    pub(crate) fn bm25_query(&self, text: &str) -> Result<TermQuery, Error> {
        let bm25 = self.index.bm25();
        let question = bm25.query(text);
        if self.rewrite.method != RewriteMethod::Rm3 {
            return Ok(question);
        }
        let feedback = Feedback {
            docs: self.rewrite.rm3_docs,
            terms: self.rewrite.rm3_terms,
            original: self.rewrite.rm3_weight,
        };
        let hits = bm25.search(&question, feedback.docs)?;
        let terms_of = |entry| self.index.terms_of(entry);
        Ok(expand(bm25, question, &hits, &terms_of, feedback))
    }
}
