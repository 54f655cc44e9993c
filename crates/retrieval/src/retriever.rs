//! Searching an index: dense search, BM25 and their fusion.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use fiel_corpus::Chunk;
use fiel_embedding::Embedder;

use crate::{
    Error, Fusion, Index, Mode, RetrieveSettings, RewriteMethod, RewriteSettings, ScoredItem,
    TermQuery,
    fuse::fuse,
    ranked::{RankedList, ranks},
    rm3::expand,
};

/// Rank and score of a passage in one list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListPlace {
    /// Rank, from 1.
    pub rank: usize,
    /// BM25 score, cosine, or score of the reranker.
    pub score: f64,
}

/// A passage found for a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// Position in [`Retriever::chunks`].
    pub chunk: usize,
    /// Score of the fusion, or of the only retriever; after reranking the mixed score.
    pub score: f64,
    /// Place in the list of BM25.
    pub bm25: Option<ListPlace>,
    /// Place in the dense list.
    pub dense: Option<ListPlace>,
    /// Place in the list for the keywords of a rewritten question.
    pub rewrite: Option<ListPlace>,
    /// Place in the list of the reranker alone.
    pub rerank: Option<ListPlace>,
}

/// The passages found for a question and the time of each step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retrieved {
    /// Passages, best first.
    pub hits: Vec<Hit>,
    /// Chunks of the dense list, nearest first, whether or not they are among the hits.
    pub nearest: Vec<usize>,
    /// The question with its spelling corrected; `None` if it was searched for as it is.
    pub rewritten: Option<String>,
    /// Keywords searched for in addition to the question.
    pub keywords: Option<String>,
    /// Time to rewrite the question.
    pub rewrite_time: Duration,
    /// Time to embed the question.
    pub embed_time: Duration,
    /// Time of the dense search.
    pub dense_time: Duration,
    /// Time of BM25.
    pub bm25_time: Duration,
    /// Time to rerank.
    pub rerank_time: Duration,
}

/// A search query.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question, with or without corrected spelling.
    pub text: &'a str,
    /// Keywords to search for in addition.
    pub keywords: Option<&'a str>,
    /// Whether dense search compares every vector even if there is an HNSW graph.
    pub exact: bool,
}

impl<'a> From<&'a str> for Query<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, keywords: None, exact: false }
    }
}

/// An index with the settings to search it.
pub struct Retriever {
    index: Arc<Index>,
    settings: RetrieveSettings,
    rewrite: RewriteSettings,
}

impl Retriever {
    /// Creates a retriever.
    ///
    /// # Errors
    /// [`Error::BadSetting`] if a setting is out of range.
    pub fn new(
        index: Arc<Index>,
        settings: RetrieveSettings,
        rewrite: RewriteSettings,
    ) -> Result<Self, Error> {
        settings.check()?;
        rewrite.check()?;
        Ok(Self { index, settings, rewrite })
    }

    /// The index.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// All chunks, ordered by id.
    pub fn chunks(&self) -> &[Chunk] {
        self.index.chunks()
    }

    /// The settings of retrieval.
    pub fn settings(&self) -> &RetrieveSettings {
        &self.settings
    }

    /// The `k` best passages for a question. Each list has `retrieve.depth` passages, at least `k`.
    ///
    /// # Errors
    /// [`Error::EmptyQuestion`], or the error of a failed search: the results of one retriever
    /// never stand in for those of both.
    pub fn search(
        &self,
        embedder: &Embedder,
        query: Query<'_>,
        k: usize,
    ) -> Result<Retrieved, Error> {
        if query.text.trim().is_empty() {
            return Err(Error::EmptyQuestion);
        }
        let settings = &self.settings;
        let depth = settings.depth.max(k);
        let mut retrieved = Retrieved::default();
        let (mut dense, mut bm25, mut keywords) = <(RankedList, RankedList, RankedList)>::default();
        // A leg of weight 0 is not searched, so that it equals its absence.
        let uses = |leg: Mode, weight: f64| {
            settings.mode == leg || (settings.mode == Mode::Hybrid && weight > 0.0)
        };
        if uses(Mode::Vector, settings.dense_weight) {
            dense = self.search_dense(embedder, query.text, depth, query.exact, &mut retrieved)?;
            retrieved.nearest = dense.hits.iter().map(|s| s.item).collect();
        }
        if uses(Mode::Bm25, settings.bm25_weight) {
            bm25 = self.search_bm25(query.text, depth, &mut retrieved)?;
        }
        let is_searched = |words: &&str| !words.trim().is_empty() && self.rewrite.llm_weight > 0.0;
        if let Some(words) = query.keywords.filter(is_searched) {
            keywords = if settings.mode == Mode::Vector {
                self.search_dense(embedder, words, depth, query.exact, &mut retrieved)?
            } else {
                self.search_bm25(words, depth, &mut retrieved)?
            };
        }
        let only_list = match settings.mode {
            _ if !keywords.hits.is_empty() => None,
            Mode::Vector => Some(&dense),
            Mode::Bm25 => Some(&bm25),
            Mode::Hybrid => None,
        };
        let ranking = match only_list {
            Some(list) => list.hits.iter().copied().take(k).collect(),
            None => self.fuse([&dense, &bm25, &keywords], k)?,
        };
        let (dense, bm25, keywords) =
            (ranks(&dense.hits), ranks(&bm25.hits), ranks(&keywords.hits));
        let hit = |s: ScoredItem| Hit {
            chunk: s.item,
            score: s.score,
            bm25: bm25.get(&s.item).copied(),
            dense: dense.get(&s.item).copied(),
            rewrite: keywords.get(&s.item).copied(),
            rerank: None,
        };
        retrieved.hits = ranking.into_iter().map(hit).collect();
        Ok(retrieved)
    }

    /// Fuses the lists of dense search, BM25 and keywords. For a fusion of scores every retriever
    /// scores every chunk that any of them found.
    fn fuse(&self, lists: [&RankedList; 3], k: usize) -> Result<Vec<ScoredItem>, Error> {
        let settings = &self.settings;
        let weights = [settings.dense_weight, settings.bm25_weight, self.rewrite.llm_weight];
        let found = lists.iter().flat_map(|list| &list.hits);
        let pool: BTreeSet<usize> = found.map(|s| s.item).collect();
        let weighted = lists.iter().zip(weights).map(|(list, weight)| {
            let scored = match settings.fusion {
                Fusion::Rrf => list.hits.clone(),
                Fusion::MinMax | Fusion::ZScore => list.scored_pool(&self.index, &pool)?,
            };
            Ok((scored, weight))
        });
        let weighted = weighted.collect::<Result<Vec<_>, Error>>()?;
        fuse(&weighted, settings.fusion, settings.rrf_k, k)
    }

    fn search_dense(
        &self,
        embedder: &Embedder,
        text: &str,
        depth: usize,
        exact: bool,
        retrieved: &mut Retrieved,
    ) -> Result<RankedList, Error> {
        let started = Instant::now();
        let query = embedder.embed(&[text], &mut |_| {})?;
        retrieved.embed_time += started.elapsed();
        let started = Instant::now();
        let list = RankedList::dense(&self.index, query, depth, exact)?;
        retrieved.dense_time += started.elapsed();
        Ok(list)
    }

    fn search_bm25(
        &self,
        text: &str,
        depth: usize,
        retrieved: &mut Retrieved,
    ) -> Result<RankedList, Error> {
        let started = Instant::now();
        let list = RankedList::bm25(&self.index, self.bm25_query(text)?, depth)?;
        retrieved.bm25_time += started.elapsed();
        Ok(list)
    }

    /// The BM25 query of a text, expanded with `rewrite.method = "rm3"`.
    pub(crate) fn bm25_query(&self, text: &str) -> Result<TermQuery, Error> {
        let bm25 = self.index.bm25();
        let question = bm25.query(text);
        if self.rewrite.method != RewriteMethod::Rm3 {
            return Ok(question);
        }
        let hits = bm25.search(&question, self.rewrite.rm3_docs)?;
        Ok(expand(bm25, question, &hits, &|entry| self.index.entry_terms(entry), &self.rewrite))
    }
}
