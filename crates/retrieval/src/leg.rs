use std::collections::{BTreeMap, BTreeSet};

use fiel_embedding::Vectors;

use crate::{Error, Index, LegHit, Scored, TermQuery};

/// A list with what was looked for, so that it can score chunks that it did not find.
pub(crate) struct Leg {
    list: Vec<Scored>,
    asked: Asked,
}

enum Asked {
    Nothing,
    Vector(Vectors),
    Terms(TermQuery),
}

impl Leg {
    /// A leg that was not asked.
    pub(crate) fn idle() -> Self {
        Self {
            list: Vec::new(),
            asked: Asked::Nothing,
        }
    }

    /// About the `depth` nearest chunks.
    pub(crate) fn dense(
        index: &Index,
        query: Vectors,
        depth: usize,
        exact: bool,
    ) -> Result<Self, Error> {
        let entries = index.entries_for(depth);
        let found = match exact {
            true => index.dense()?.exact(query.row(0), entries)?,
            false => index.dense()?.search(query.row(0), entries)?,
        };
        Ok(Self {
            list: index.by_chunk(found, depth),
            asked: Asked::Vector(query),
        })
    }

    /// The `depth` best chunks by BM25.
    pub(crate) fn bm25(index: &Index, terms: TermQuery, depth: usize) -> Result<Self, Error> {
        let found = index.bm25().search(&terms, index.entries_for(depth))?;
        Ok(Self {
            list: index.by_chunk(found, depth),
            asked: Asked::Terms(terms),
        })
    }

    /// What was found, best first.
    pub(crate) fn list(&self) -> &[Scored] {
        &self.list
    }

    /// Place and score by chunk.
    pub(crate) fn places(&self) -> BTreeMap<usize, LegHit> {
        let place = |(at, s): (usize, &Scored)| {
            let (rank, score) = (at + 1, s.score);
            (s.item, LegHit { rank, score })
        };
        self.list.iter().enumerate().map(place).collect()
    }

    /// What was found, and behind it the other chunks of a pool with their own scores.
    pub(crate) fn with_all(
        &self,
        index: &Index,
        pool: &BTreeSet<usize>,
    ) -> Result<Vec<Scored>, Error> {
        let found: BTreeSet<usize> = self.list.iter().map(|s| s.item).collect();
        let missing: Vec<usize> = pool.difference(&found).copied().collect();
        let scores = match &self.asked {
            Asked::Nothing => return Ok(Vec::new()),
            Asked::Vector(query) => index.cosines(query.row(0), &missing)?,
            Asked::Terms(terms) => index.bm25_scores(terms, &missing),
        };
        let others = missing.iter().zip(scores);
        let others = others.map(|(&item, score)| Scored { item, score });
        Ok(self.list.iter().copied().chain(others).collect())
    }
}
