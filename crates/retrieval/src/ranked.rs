//! The ranked list of one retriever.

use std::collections::{BTreeMap, BTreeSet};

use fiel_embedding::Vectors;

use crate::{Dense, Error, Index, ListPlace, ScoredItem, TermQuery};

/// The chunks that one retriever found, with its query, so that it can also score chunks that it
/// did not find.
#[derive(Default)]
pub(crate) struct RankedList {
    /// The chunks found, best first.
    pub hits: Vec<ScoredItem>,
    query: ListQuery,
}

#[derive(Default)]
enum ListQuery {
    /// The retriever was not used.
    #[default]
    None,
    Vector(Vectors),
    Terms(TermQuery),
}

impl RankedList {
    /// About the `depth` nearest chunks. `exact` compares every vector even if there is a graph.
    pub(crate) fn dense(
        index: &Index,
        query: Vectors,
        depth: usize,
        exact: bool,
    ) -> Result<Self, Error> {
        let entries = index.entries_for(depth);
        let search = if exact { Dense::exact } else { Dense::search };
        let nearest = search(index.dense()?, query.row(0), entries)?;
        Ok(Self { hits: index.by_chunk(nearest, depth), query: ListQuery::Vector(query) })
    }

    /// The `depth` best chunks by BM25.
    pub(crate) fn bm25(index: &Index, terms: TermQuery, depth: usize) -> Result<Self, Error> {
        let best = index.bm25().search(&terms, index.entries_for(depth))?;
        Ok(Self { hits: index.by_chunk(best, depth), query: ListQuery::Terms(terms) })
    }

    /// The chunks found, followed by the other chunks of `pool` with the scores that this retriever
    /// gives them; empty if the retriever was not used.
    pub(crate) fn scored_pool(
        &self,
        index: &Index,
        pool: &BTreeSet<usize>,
    ) -> Result<Vec<ScoredItem>, Error> {
        let found: BTreeSet<usize> = self.hits.iter().map(|s| s.item).collect();
        let missing: Vec<usize> = pool.difference(&found).copied().collect();
        let scores = match &self.query {
            ListQuery::None => return Ok(Vec::new()),
            ListQuery::Vector(query) => index.cosines(query.row(0), &missing)?,
            ListQuery::Terms(terms) => index.bm25_scores(terms, &missing),
        };
        let others = missing.iter().zip(scores);
        let others = others.map(|(&item, score)| ScoredItem { item, score });
        Ok(self.hits.iter().copied().chain(others).collect())
    }
}

/// Rank, from 1, and score by item of a list, best first.
pub(crate) fn ranks(list: &[ScoredItem]) -> BTreeMap<usize, ListPlace> {
    (1..).zip(list).map(|(rank, s)| (s.item, ListPlace { rank, score: s.score })).collect()
}
