//! Parts of a run in the shape the page's script reads.

use std::collections::BTreeMap;

use fiel_text::id::doc_of;
use serde::Serialize;

use super::{data::Question, number::Num, quote::locate_most};
use crate::{
    Column, Comparison, Difference, EvalMode, Flip, HitRecord, LegRecord, Mark, QuestionRecord,
    TimingRecord, WorseSlice,
};

/// A comparison without the words of its flips, which the questions have.
#[derive(Serialize)]
pub(super) struct Against<'a> {
    run: &'a str,
    unlike: &'a [String],
    differences: &'a [Difference],
    questions: usize,
    only_a: usize,
    only_b: usize,
    identical: bool,
    /// Mean A, mean B, difference, low, high, p, Holm's p, n, wins, ties, losses, identical.
    rows: BTreeMap<Column, [Num; 12]>,
    worse_slices: &'a [WorseSlice],
    /// Question, mode, whether this run is the right one.
    flips: Vec<(usize, EvalMode, bool)>,
}

pub(super) fn against<'a>(c: &'a Comparison, at_question: &BTreeMap<&str, usize>) -> Against<'a> {
    let rows = c.rows.iter().map(|row| {
        let p = &row.paired;
        let figures = [
            Num::exact(p.mean_a),
            Num::exact(p.mean_b),
            Num::exact(p.difference),
            Num::exact(p.interval.low),
            Num::exact(p.interval.high),
            Num::exact(p.p),
            Num::exact(row.p_holm),
            p.n.into(),
            p.wins.into(),
            p.ties.into(),
            p.losses.into(),
            usize::from(p.identical).into(),
        ];
        (row.column, figures)
    });
    let flip = |f: &Flip| Some((*at_question.get(f.id.as_str())?, f.mode, f.better));
    Against {
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

/// A list that gives a hit its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Leg {
    Bm25,
    Dense,
    Rewrite,
    Rerank,
}

impl Leg {
    fn of(self, hit: &HitRecord) -> Option<LegRecord> {
        match self {
            Self::Bm25 => hit.bm25,
            Self::Dense => hit.dense,
            Self::Rewrite => hit.rewrite,
            Self::Rerank => hit.rerank,
        }
    }
}

/// The lists that any hit of a run is in.
pub(super) fn legs(records: &[QuestionRecord]) -> Vec<Leg> {
    let is_used = |leg: &Leg| {
        let mut hits = records.iter().flat_map(|record| &record.retrieval.hits);
        hits.any(|hit| leg.of(hit).is_some())
    };
    let all = [Leg::Bm25, Leg::Dense, Leg::Rewrite, Leg::Rerank];
    all.into_iter().filter(is_used).collect()
}

/// Adds a hit: whole numbers, for there are thousands of them.
pub(super) fn push_hit(out: &mut Vec<i64>, hit: &HitRecord, chunk: usize, legs: &[Leg]) {
    out.extend([chunk as i64, (hit.score * 10_000.0).round() as i64]);
    for leg in legs {
        out.extend(match leg.of(hit) {
            Some(leg) => [leg.rank as i64, (leg.score * 1_000.0).round() as i64],
            None => [0, 0],
        });
    }
}

/// The hits that hold evidence, each with its groups.
pub(super) fn finds(hits: &[HitRecord]) -> Vec<Vec<usize>> {
    let holding = hits.iter().enumerate().filter(|(_, h)| !h.finds.is_empty());
    holding
        .map(|(at, h)| [&[at], &h.finds[..]].concat())
        .collect()
}

/// Marks the evidence in a chunk that holds it.
pub(super) fn mark(question: &mut Question<'_>, id: &str, at: usize, text: &str) {
    if question.marks.contains_key(&at) {
        return;
    }
    let doc = doc_of(id);
    let quotes = question.evidence.iter().filter(|e| e.doc == doc);
    let places = quotes
        .filter_map(|e| locate_most(text, e.quote.as_deref()?))
        .flat_map(|place| [place.start, place.end])
        .collect();
    question.marks.insert(at, places);
}

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
