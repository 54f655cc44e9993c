//! Comparison, hits, marks and times of a run in the form that the script of the page reads.

use std::collections::BTreeMap;

use fiel_metrics::Change;
use serde::Serialize;

use super::number::Num;
use fiel_record::{
    Column, Comparison, Difference, EvalMode, Flip, HitRecord, LegRecord, Mark, QuestionRecord,
    TimingRecord, WorseSlice,
};

/// A comparison. Its flips refer to questions of the page instead of repeating them.
#[derive(Serialize)]
pub(super) struct PageComparison<'a> {
    run: &'a str,
    unlike: &'a [String],
    differences: &'a [Difference],
    questions: usize,
    only_a: usize,
    only_b: usize,
    identical: bool,
    /// `[mean_a, mean_b, difference, low, high, p, p_holm, n, wins, ties, losses, identical, change]`,
    /// the last of them 1 for better and -1 for worse beyond chance.
    rows: BTreeMap<Column, [Option<Num>; 13]>,
    worse_slices: &'a [WorseSlice],
    /// Position of the question, mode, whether this run is the one that is right.
    flips: Vec<(usize, EvalMode, bool)>,
}

impl<'a> PageComparison<'a> {
    pub(super) fn new(c: &'a Comparison, question_places: &BTreeMap<&str, usize>) -> Self {
        let rows = c.rows.iter().map(|row| {
            let p = &row.paired;
            let change = match p.change(row.p_holm, row.column.measure.direction()) {
                Change::Better => 1.0,
                Change::Worse => -1.0,
                Change::None => 0.0,
            };
            let count = |count: usize| Some(count.into());
            let figures = [
                Some(Num::exact(p.mean_a)),
                Some(Num::exact(p.mean_b)),
                Some(Num::exact(p.difference)),
                p.interval.map(|i| Num::exact(i.low)),
                p.interval.map(|i| Num::exact(i.high)),
                Some(Num::exact(p.p)),
                Some(Num::exact(row.p_holm)),
                count(p.n),
                count(p.wins),
                count(p.ties),
                count(p.losses),
                count(usize::from(p.identical)),
                Some(Num::exact(change)),
            ];
            (row.column, figures)
        });
        let flip = |f: &Flip| Some((*question_places.get(f.id.as_str())?, f.mode, f.better));
        Self {
            run: &c.a.run,
            unlike: &c.unlike,
            differences: &c.differences,
            questions: c.questions,
            only_a: c.only_a.len(),
            only_b: c.only_b.len(),
            identical: c.identical,
            rows: rows.collect(),
            worse_slices: &c.worse_slices,
            flips: c.flips.iter().filter_map(flip).collect(),
        }
    }
}

/// A ranked list that contributes to the rank of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RankedList {
    Bm25,
    Dense,
    Rewrite,
    Rerank,
}

impl RankedList {
    fn entry(self, hit: &HitRecord) -> Option<LegRecord> {
        match self {
            Self::Bm25 => hit.bm25,
            Self::Dense => hit.dense,
            Self::Rewrite => hit.rewrite,
            Self::Rerank => hit.rerank,
        }
    }
}

/// The lists that contain a hit of a run.
pub(super) fn ranked_lists(records: &[QuestionRecord]) -> Vec<RankedList> {
    let is_used = |list: &RankedList| {
        let mut hits = records.iter().flat_map(|record| &record.retrieval.hits);
        hits.any(|hit| list.entry(hit).is_some())
    };
    use RankedList::{Bm25, Dense, Rerank, Rewrite};
    let all = [Bm25, Dense, Rewrite, Rerank];
    all.into_iter().filter(is_used).collect()
}

/// Appends a hit as integers, which are shorter: chunk, score × 10,000, then rank and
/// score × 1,000 in each list; rank 0 if the list does not contain it.
pub(super) fn push_hit(out: &mut Vec<i64>, hit: &HitRecord, chunk: usize, lists: &[RankedList]) {
    out.extend([chunk as i64, (hit.score * 10_000.0).round() as i64]);
    for list in lists {
        out.extend(match list.entry(hit) {
            Some(entry) => [entry.rank as i64, (entry.score * 1_000.0).round() as i64],
            None => [0, 0],
        });
    }
}

/// The hits that contain evidence: position of the hit, then its evidence groups.
pub(super) fn finds(hits: &[HitRecord]) -> Vec<Vec<usize>> {
    let with_evidence = hits.iter().enumerate().filter(|(_, h)| !h.finds.is_empty());
    with_evidence.map(|(at, h)| [&[at], &h.finds[..]].concat()).collect()
}

/// The marks of an answer as bits, in the order of [`Mark`].
pub(super) fn marks(marks: &[Mark]) -> u8 {
    marks.iter().fold(0, |bits, mark| {
        bits | match mark {
            Mark::Format => 1,
            Mark::SelfKnowledge => 2,
            Mark::GoldSuspect => 4,
            Mark::FalseAnswer => 8,
        }
    })
}

/// Milliseconds: embed, dense, bm25, rewrite, rerank, oracle, e2e, judge.
pub(super) fn milliseconds(t: &TimingRecord) -> [Option<Num>; 8] {
    let ms = |ms: f64| Num::rounded(ms, 2);
    [
        Some(ms(t.embed_ms)),
        Some(ms(t.dense_ms)),
        Some(ms(t.bm25_ms)),
        Some(ms(t.rewrite_ms)),
        Some(ms(t.rerank_ms)),
        t.oracle_ms.map(ms),
        t.e2e_ms.map(ms),
        t.judge_ms.map(ms),
    ]
}
