//! A ranked list, reduced to what the measures need.

use std::collections::{BTreeMap, HashSet};

use super::{
    Cutoff, RankMeasure, measured_list,
    ndcg::ndcg,
    undiscounted::{all, average_precision, hit, judged, precision, recall, reciprocal_rank},
};

/// A ranked list reduced to what the measures need: its length, the ranks and grades of the
/// relevant items in it, and the grades of all relevant items.
///
/// An empty list (an unanswered question) scores 0. A question without any relevant item has no
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Number of ranks, without duplicates.
    pub(super) length: u32,
    /// Relevant items in the list, by rank ascending. Several may share a rank.
    pub(super) found: Vec<RelevantItem>,
    /// Grades of all relevant items, found or not, descending.
    pub(super) ideal: Vec<u32>,
    /// Ranks that have a judgement, ascending; `None` if the gold set cites evidence.
    pub(super) judged: Option<Vec<u32>>,
}

/// A relevant item of a ranked list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelevantItem {
    /// Rank, from 1.
    pub rank: u32,
    /// Grade of relevance, at least 1. Evidence has grade 1.
    pub grade: u32,
}

/// An evidence group that the question does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the chunk at rank {rank} finds evidence group {group}, but the question has {groups}, numbered from 0"
)]
pub struct RankingError {
    /// Rank of the chunk, from 1.
    pub rank: u32,
    /// Index of the group, from 0.
    pub group: usize,
    /// Number of groups that the question has.
    pub groups: usize,
}

impl Ranking {
    /// Builds a ranking from document ids in rank order and graded judgements by document id.
    ///
    /// A repeated id counts at its first occurrence only. A document with a grade of 0 or less is
    /// judged and not relevant.
    pub fn from_qrels<S: AsRef<str>>(ids: &[S], judgements: &BTreeMap<String, i32>) -> Ranking {
        let mut seen = HashSet::with_capacity(ids.len());
        let (mut length, mut found, mut judged) = (0, Vec::new(), Vec::new());
        for id in ids.iter().map(AsRef::as_ref) {
            if !seen.insert(id) {
                continue;
            }
            length += 1;
            if let Some(&grade) = judgements.get(id) {
                judged.push(length);
                if let Some(grade) = relevant_grade(grade) {
                    found.push(RelevantItem { rank: length, grade });
                }
            }
        }
        let grades = judgements.values();
        let mut ideal: Vec<u32> = grades.filter_map(|&grade| relevant_grade(grade)).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        Ranking { length, found, ideal, judged: Some(judged) }
    }

    /// Builds a ranking from the evidence groups that each chunk finds, in rank order, numbered
    /// from 0. See [`measured_list`] for how a chunk counts.
    ///
    /// The chunks must be distinct.
    ///
    /// # Errors
    /// If a chunk finds a group outside `0..groups`.
    pub fn from_evidence(chunks: &[Vec<usize>], groups: usize) -> Result<Ranking, RankingError> {
        let list = measured_list(chunks, groups)?.into_iter();
        let relevant = list.filter(|item| item.group.is_some());
        let found = relevant.map(|item| RelevantItem { rank: item.rank, grade: 1 }).collect();
        Ok(Ranking { length: chunks.len() as u32, found, ideal: vec![1; groups], judged: None })
    }

    /// The value of a measure, in \[0, 1\].
    ///
    /// Returns `None` if no item is relevant, and for `Judged@k` if the gold set cites evidence.
    pub fn measure(&self, measure: RankMeasure) -> Option<f64> {
        if self.relevant() == 0 {
            return None;
        }
        match measure {
            RankMeasure::Hit(k) => Some(hit(self, k.get())),
            RankMeasure::Rr(k) => Some(reciprocal_rank(self, k.map_or(u32::MAX, Cutoff::get))),
            RankMeasure::Recall(k) => Some(recall(self, k.get())),
            RankMeasure::Precision(k) => Some(precision(self, k.get())),
            RankMeasure::Ndcg(gain, k) => Some(ndcg(self, gain, k.get())),
            RankMeasure::Ap => Some(average_precision(self)),
            RankMeasure::Judged(k) => judged(self, k.get()),
            RankMeasure::Rprec => Some(precision(self, self.ideal.len() as u32)),
            RankMeasure::All(k) => Some(all(self, k.get())),
        }
    }

    /// Number of relevant items, found or not.
    pub fn relevant(&self) -> usize {
        self.ideal.len()
    }

    /// The relevant items in the first `k` ranks.
    pub(super) fn top(&self, k: u32) -> &[RelevantItem] {
        &self.found[..self.found.partition_point(|item| item.rank <= k)]
    }
}

/// The grade of a relevant document; `None` for 0 or less.
fn relevant_grade(grade: i32) -> Option<u32> {
    u32::try_from(grade).ok().filter(|&grade| grade > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_id_counts_once_and_takes_no_rank() {
        let judgements = BTreeMap::from([("a".into(), 1), ("b".into(), 2), ("c".into(), 0)]);
        let ranking = Ranking::from_qrels(&["x", "a", "x", "a", "c", "b"], &judgements);
        let expected = [(2, 1), (4, 2)].map(|(rank, grade)| RelevantItem { rank, grade });
        assert_eq!(ranking.found, expected);
        assert_eq!(ranking.length, 4);
        assert_eq!(ranking.ideal, [2, 1]);
        assert_eq!(ranking.judged.as_deref(), Some(&[2, 3, 4][..]));
    }

    #[test]
    fn evidence_outside_the_question_is_an_error() {
        let error = Ranking::from_evidence(&[vec![], vec![2]], 2).unwrap_err();
        assert_eq!((error.rank, error.group, error.groups), (2, 2, 2));
    }
}
