//! The measured list: what a ranked list found of what there was to find.

use std::collections::{BTreeMap, HashSet};

use super::{MeasuredItem, RankMeasure, measured_list};

/// A ranked list reduced to what the measures need: the ranks and grades of its
/// relevant items, its length, and the grades of everything that is relevant.
///
/// An empty list (an unanswered question) measures 0; a question without any
/// relevant item has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Ranks of the list, deduplicated.
    pub(super) length: u32,
    /// Relevant items found, by rank ascending; several may share a rank.
    pub(super) hits: Vec<Hit>,
    /// Grades of all relevant items, found or not, descending.
    pub(super) ideal: Vec<u32>,
    /// Ranks that carry a judgement, ascending; none where gold cites evidence.
    pub(super) judged: Option<Vec<u32>>,
}

/// A relevant item of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// From 1.
    pub rank: u32,
    /// From 1; evidence has grade 1.
    pub grade: u32,
}

/// Evidence that points at no group of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the chunk at rank {rank} finds evidence group {group}, but the question has {groups}, numbered from 0"
)]
pub struct RankingError {
    /// Rank of the chunk, from 1.
    pub rank: u32,
    /// The group named.
    pub group: usize,
    /// Groups the question has.
    pub groups: usize,
}

impl Ranking {
    /// From document ids in rank order and graded judgements.
    ///
    /// A repeated id counts at its first occurrence only. A grade of 0 or less
    /// is judged and not relevant.
    pub fn from_qrels<S: AsRef<str>>(ids: &[S], judgements: &BTreeMap<String, i32>) -> Ranking {
        let mut seen = HashSet::with_capacity(ids.len());
        let (mut length, mut hits, mut judged) = (0, Vec::new(), Vec::new());
        for id in ids.iter().map(AsRef::as_ref) {
            if !seen.insert(id) {
                continue;
            }
            length += 1;
            if let Some(&grade) = judgements.get(id) {
                judged.push(length);
                if let Some(grade) = relevant(grade) {
                    hits.push(Hit {
                        rank: length,
                        grade,
                    });
                }
            }
        }
        let mut ideal: Vec<u32> = judgements.values().filter_map(|&g| relevant(g)).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        Ranking {
            length,
            hits,
            ideal,
            judged: Some(judged),
        }
    }

    /// From the evidence groups that each chunk finds, in rank order.
    ///
    /// An item is a group (alternatives of one group are one item). The groups a
    /// chunk finds first all stand at its rank; a chunk that finds nothing new is
    /// one entry that is not relevant. The list of chunks is taken to be
    /// deduplicated.
    pub fn from_evidence(found: &[Vec<usize>], groups: usize) -> Result<Ranking, RankingError> {
        let hits = measured_list(found, groups)?
            .into_iter()
            .filter_map(|MeasuredItem { rank, group }| group.map(|_| Hit { rank, grade: 1 }))
            .collect();
        Ok(Ranking {
            length: found.len() as u32,
            hits,
            ideal: vec![1; groups],
            judged: None,
        })
    }

    /// The value of a measure; none without any relevant item.
    pub fn measure(&self, measure: RankMeasure) -> Option<f64> {
        measure.of(self)
    }

    /// Number of relevant items, found or not.
    pub fn relevant(&self) -> usize {
        self.ideal.len()
    }

    /// The relevant items found, by rank.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Rank of the first relevant item.
    pub fn first_hit(&self) -> Option<u32> {
        self.hits.first().map(|hit| hit.rank)
    }

    /// Whether two relevant items stand at one rank, as when one chunk holds two
    /// spans. A TREC run file cannot say so: its list would be one longer.
    pub fn shares_ranks(&self) -> bool {
        self.hits.windows(2).any(|w| w[0].rank == w[1].rank)
    }

    /// The relevant items in the first `k` ranks.
    pub(super) fn top(&self, k: u32) -> &[Hit] {
        &self.hits[..self.hits.partition_point(|hit| hit.rank <= k)]
    }
}

fn relevant(grade: i32) -> Option<u32> {
    u32::try_from(grade).ok().filter(|&grade| grade > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_id_counts_once_and_takes_no_rank() {
        let judgements = BTreeMap::from([("a".into(), 1), ("b".into(), 2), ("c".into(), 0)]);
        let ranking = Ranking::from_qrels(&["x", "a", "x", "a", "c", "b"], &judgements);
        let expected = [Hit { rank: 2, grade: 1 }, Hit { rank: 4, grade: 2 }];
        assert_eq!(ranking.hits(), expected);
        assert_eq!(ranking.length, 4);
        assert_eq!(ranking.ideal, [2, 1]);
        assert_eq!(ranking.judged.as_deref(), Some(&[2, 3, 4][..]));
        assert!(!ranking.shares_ranks());
    }

    #[test]
    fn evidence_outside_the_question_is_an_error() {
        let error = Ranking::from_evidence(&[vec![], vec![2]], 2).unwrap_err();
        assert_eq!((error.rank, error.group, error.groups), (2, 2, 2));
    }
}
