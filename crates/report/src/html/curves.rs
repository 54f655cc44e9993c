//! Curves that the summary of a run does not contain.

use std::num::NonZeroU32;

use fiel_metrics::{Measure, RankMeasure, Ranking, Value};
use fiel_text::id::doc_of;
use serde::Serialize;

use super::number::Num;
use fiel_record::{EvalMode, QuestionRecord, ReadRecord};

/// Mean hit@k and recall@k for k = 1 … 10.
#[derive(Debug, Default, Serialize)]
pub(super) struct DepthCurves {
    hit: Vec<Num>,
    recall: Vec<Num>,
}

const DEPTH: u32 = 10;

pub(super) fn by_depth(records: &[QuestionRecord]) -> DepthCurves {
    let rankings: Vec<Ranking> = records.iter().filter_map(ranking).collect();
    let deepest = records.iter().map(|r| r.retrieval.hits.len()).max();
    let mut out = DepthCurves::default();
    if rankings.is_empty() {
        return out;
    }
    let mean = |measure: RankMeasure| {
        let values = rankings.iter().map(|r| r.measure(measure).unwrap_or(0.0));
        Num::short(values.sum::<f64>() / rankings.len() as f64)
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

/// The ranking of a question with evidence; it is empty if retrieval failed.
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

/// The number of points above which a curve is thinned out.
const POINTS: usize = 80;

/// End-to-end F1 by coverage (selective answering).
#[derive(Debug, Serialize)]
pub(super) struct CoverageCurve {
    /// Share of the answerable questions that were answered, and mean F1 of these answers.
    run: [Num; 2],
    /// Coverage and mean F1 if only the questions whose best passage has a cosine similarity above
    /// a falling threshold are answered.
    curve: Vec<[Num; 2]>,
}

pub(super) fn coverage(records: &[QuestionRecord]) -> Option<CoverageCurve> {
    let f1: Measure = "F1".parse().ok()?;
    let value = |read: &ReadRecord| read.measures.get(&f1).copied().and_then(Value::score);
    let answerable = records.iter().filter(|r| !r.unanswerable);
    let reads: Vec<(&QuestionRecord, &ReadRecord, f64)> = answerable
        .filter_map(|r| Some((r, r.read(EvalMode::E2e)?)))
        .filter_map(|(r, read)| Some((r, read, value(read)?)))
        .collect();
    let total = reads.len();
    let mut answers: Vec<(Option<f64>, f64)> = reads
        .iter()
        .filter(|(_, read, _)| !read.abstained && read.error.is_none())
        .map(|(r, _, f1)| (confidence(r), *f1))
        .collect();
    if answers.is_empty() {
        return None;
    }
    let sum: f64 = answers.iter().map(|(_, f1)| f1).sum();
    let share = |n: usize| Num::short(n as f64 / total as f64);
    let run = [share(answers.len()), Num::short(sum / answers.len() as f64)];
    let mut curve = Vec::new();
    // Without dense retrieval there is no confidence to order by.
    if answers.iter().all(|(confidence, _)| confidence.is_some()) {
        answers.sort_by(|a, b| b.0.unwrap_or(0.0).total_cmp(&a.0.unwrap_or(0.0)));
        let step = answers.len().div_ceil(POINTS);
        let mut sum = 0.0;
        for (at, (_, f1)) in answers.iter().enumerate() {
            sum += f1;
            // A mean over fewer than five answers is too noisy to draw.
            if at + 1 >= 5.min(answers.len()) && ((at + 1) % step == 0 || at + 1 == answers.len()) {
                curve.push([share(at + 1), Num::short(sum / (at + 1) as f64)]);
            }
        }
    }
    Some(CoverageCurve { run, curve })
}

/// The highest cosine similarity of the question and a retrieved passage.
fn confidence(record: &QuestionRecord) -> Option<f64> {
    let cosines = record.retrieval.hits.iter().filter_map(|h| h.dense);
    cosines.map(|leg| leg.score).max_by(f64::total_cmp)
}
