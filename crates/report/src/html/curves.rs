//! Curves that a summary does not hold, by the definitions of the measures.

use std::num::NonZeroU32;

use fiel_metrics::{Measure, RankMeasure, Ranking, Value};
use fiel_text::id::doc_of;
use serde::Serialize;

use super::number::Num;
use crate::{EvalMode, QuestionRecord, ReadRecord};

/// Mean hit and recall by depth, k = 1 … 10.
#[derive(Debug, Default, Serialize)]
pub(super) struct ByDepth {
    hit: Vec<Num>,
    recall: Vec<Num>,
}

const DEPTH: u32 = 10;

pub(super) fn by_depth(records: &[QuestionRecord]) -> ByDepth {
    let rankings: Vec<Ranking> = records.iter().filter_map(ranking).collect();
    let deepest = records.iter().map(|r| r.retrieval.hits.len()).max();
    let mut out = ByDepth::default();
    if rankings.is_empty() {
        return out;
    }
    let mean = |measure: RankMeasure| {
        let values = rankings.iter().map(|r| r.measure(measure).unwrap_or(0.0));
        Num::of(values.sum::<f64>() / rankings.len() as f64)
    };
    let deepest = u32::try_from(deepest.unwrap_or(0)).unwrap_or(DEPTH);
    for k in (1..=DEPTH.min(deepest)).filter_map(NonZeroU32::new) {
        let parse = |name: &str| match format!("{name}@{k}").parse() {
            Ok(Measure::Rank(measure)) => Some(measure),
            _ => None,
        };
        out.hit.extend(parse("hit").map(mean));
        out.recall.extend(parse("R").map(mean));
    }
    out
}

/// The measured list of a question with evidence; a failed one found nothing.
fn ranking(record: &QuestionRecord) -> Option<Ranking> {
    let retrieval = &record.retrieval;
    if retrieval.groups == 0 {
        return None;
    }
    if retrieval.judgements.is_empty() {
        let found: Vec<Vec<usize>> = retrieval.hits.iter().map(|h| h.finds.clone()).collect();
        return Ranking::from_evidence(&found, retrieval.groups).ok();
    }
    let hits = retrieval.hits.iter();
    let documents: Vec<String> = hits.map(|hit| doc_of(&hit.chunk).to_owned()).collect();
    Some(Ranking::from_qrels(&documents, &retrieval.judgements))
}

/// Points of a curve before they are thinned out.
const POINTS: usize = 80;

/// Share answered and mean F1 of the answered, end to end.
#[derive(Debug, Serialize)]
pub(super) struct Answered {
    /// Of the answerable questions, those that were answered, and their mean F1.
    run: [Num; 2],
    /// What would come of answering only the questions whose best passage has a cosine above a
    /// threshold, the threshold falling.
    curve: Vec<[Num; 2]>,
}

pub(super) fn answered(records: &[QuestionRecord]) -> Option<Answered> {
    let f1: Measure = "F1".parse().ok()?;
    let value = |read: &ReadRecord| read.measures.get(&f1).copied().and_then(Value::score);
    let answerable = records.iter().filter(|r| !r.unanswerable);
    let reads: Vec<(&QuestionRecord, &ReadRecord, f64)> = answerable
        .filter_map(|r| Some((r, r.read(EvalMode::E2e)?)))
        .filter_map(|(r, read)| Some((r, read, value(read)?)))
        .collect();
    let total = reads.len();
    let mut made: Vec<(Option<f64>, f64)> = reads
        .iter()
        .filter(|(_, read, _)| !read.abstained && read.error.is_none())
        .map(|(r, _, f1)| (confidence(r), *f1))
        .collect();
    if made.is_empty() {
        return None;
    }
    let sum: f64 = made.iter().map(|(_, f1)| f1).sum();
    let share = |n: usize| Num::of(n as f64 / total as f64);
    let run = [share(made.len()), Num::of(sum / made.len() as f64)];
    let mut curve = Vec::new();
    // Without a dense leg there is nothing to order by.
    if made.iter().all(|(confidence, _)| confidence.is_some()) {
        made.sort_by(|a, b| b.0.unwrap_or(0.0).total_cmp(&a.0.unwrap_or(0.0)));
        let step = made.len().div_ceil(POINTS);
        let mut sum = 0.0;
        for (at, (_, f1)) in made.iter().enumerate() {
            sum += f1;
            // The mean of a handful jumps and says nothing.
            if at + 1 >= 5.min(made.len()) && ((at + 1) % step == 0 || at + 1 == made.len()) {
                curve.push([share(at + 1), Num::of(sum / (at + 1) as f64)]);
            }
        }
    }
    Some(Answered { run, curve })
}

/// The best cosine among the passages found.
fn confidence(record: &QuestionRecord) -> Option<f64> {
    let cosines = record.retrieval.hits.iter().filter_map(|h| h.dense);
    cosines.map(|leg| leg.score).max_by(f64::total_cmp)
}
