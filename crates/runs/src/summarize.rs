//! The summary of a run from its records.

use std::collections::BTreeMap;

use fiel_metrics::{
    AnswerMeasure, Estimate, Interval, Measure, Paired, Value, estimate, percentile,
};
use fiel_record::{
    Abstention, Bottleneck, ClaimSplitSummary, Column, Cost, CoveragePoint, DenseLoss, EvalMode,
    JudgeSummary, Latency, LatencyTarget, Manifest, QuestionRecord, ReadRecord, ReaderComparison,
    SUMMARY_SCHEMA, Spread, Summary, Target, Timing, TimingRecord, Tokens, headline,
};

use crate::{Error, PriceSettings};

/// The input of [`summarize`].
pub struct SummaryInput<'a> {
    /// Inputs of the run.
    pub manifest: &'a Manifest,
    /// Records of the questions, in order.
    pub records: &'a [QuestionRecord],
    /// Number of questions the run was to ask.
    pub planned: usize,
    /// Targets of the gold set.
    pub targets: &'a [Target],
    /// Price of the reader.
    pub prices: &'a PriceSettings,
    /// Number of passages the reader is given.
    pub context_k: usize,
    /// The scorer of claims.
    pub judge: Option<&'a JudgeSummary>,
    /// The language model that splits sentences into claims.
    pub splitter: Option<&'a str>,
    /// Seed of the bootstrap.
    pub seed: u64,
}

const F1: Measure = Measure::Answer(AnswerMeasure::F1);

/// The headline measures by tag.
fn slices(
    records: &[QuestionRecord],
    seed: u64,
) -> Result<BTreeMap<String, BTreeMap<Column, Estimate>>, Error> {
    let mut values: BTreeMap<&str, BTreeMap<Column, Vec<Value>>> = BTreeMap::new();
    for record in records {
        for column in headline() {
            let value = record.measures(column.mode).and_then(|m| m.get(&column.measure));
            for tag in &record.tags {
                let of_tag = values.entry(tag).or_default();
                of_tag.entry(column).or_default().extend(value);
            }
        }
    }
    let mut out: BTreeMap<String, BTreeMap<Column, Estimate>> = BTreeMap::new();
    for (tag, columns) in values {
        for (column, values) in columns.into_iter().filter(|(_, v)| !v.is_empty()) {
            let estimates = estimate(&[(column.measure, values)], seed);
            let estimates = estimates.map_err(|e| Error::Measure(e.to_string()))?;
            let of_tag = out.entry(tag.to_owned()).or_default();
            of_tag.extend(estimates.into_iter().map(|estimate| (column, estimate)));
        }
    }
    Ok(out)
}

/// Computes the summary of a run. The timing block stays empty.
///
/// # Errors
/// If a value is not a number.
pub fn summarize(parts: &SummaryInput<'_>) -> Result<Summary, Error> {
    let SummaryInput { records, seed, .. } = *parts;
    let mut measures = BTreeMap::new();
    for mode in &parts.manifest.modes {
        let columns = columns(records, *mode);
        let estimates = estimate(&columns, seed).map_err(|e| Error::Measure(e.to_string()))?;
        let names = columns.iter().map(|(measure, _)| *measure);
        measures.insert(*mode, names.zip(estimates).collect::<BTreeMap<_, _>>());
    }
    let targets = targets(parts.targets, &measures);
    let readers = readers(parts, &measures)?;
    let has_e2e = parts.manifest.modes.contains(&EvalMode::E2e);
    let mut classes = BTreeMap::new();
    for class in records.iter().filter_map(|r| r.class) {
        *classes.entry(class).or_default() += 1;
    }
    let mut errors: BTreeMap<String, usize> = BTreeMap::new();
    let of_answers = reads(records).filter_map(|r| r.error.as_ref().or(r.judge_error.as_ref()));
    for error in records.iter().filter_map(|r| r.retrieval.error.as_ref()).chain(of_answers) {
        *errors.entry(error.clone()).or_default() += 1;
    }
    let tokens = tokens(records);
    let judge = parts.judge.cloned().map(|judge| JudgeSummary {
        tokens: reads(records).map(|read| read.judge_tokens).sum(),
        ..judge
    });
    let split = parts.splitter.map(|model| {
        let mut sum =
            ClaimSplitSummary { model: model.to_owned(), sentences: 0, refused: 0, tokens: 0 };
        for split in reads(records).filter_map(|read| read.split) {
            sum.sentences += split.sentences;
            sum.refused += split.refused;
            sum.tokens += split.tokens;
        }
        sum
    });
    Ok(Summary {
        schema: SUMMARY_SCHEMA.to_owned(),
        manifest: parts.manifest.clone(),
        answerable: records.iter().filter(|r| !r.unanswerable).count(),
        unanswerable: records.iter().filter(|r| r.unanswerable).count(),
        planned: parts.planned,
        bottleneck: bottleneck(&targets, readers.as_ref(), &measures),
        targets,
        measures,
        slices: slices(records, seed)?,
        abstention: has_e2e.then(|| abstention(records)),
        coverage: coverage(records),
        spread: spread(records),
        readers,
        classes,
        judge,
        split,
        dense_loss: dense_loss(records),
        cost: tokens.get(&EvalMode::E2e).map(|t| cost(t, parts.prices)),
        tokens,
        errors,
        records_sha256: String::new(),
        timing: Timing::default(),
    })
}

/// Every answer of both modes.
fn reads(records: &[QuestionRecord]) -> impl Iterator<Item = &ReadRecord> {
    records.iter().flat_map(|record| [&record.oracle, &record.e2e]).flatten()
}

/// The values of each measure of a mode by question. Questions without values (no evidence,
/// unanswerable) are left out.
fn columns(records: &[QuestionRecord], mode: EvalMode) -> Vec<(Measure, Vec<Value>)> {
    let mut out: BTreeMap<Measure, Vec<Value>> = BTreeMap::new();
    for record in records {
        for (measure, value) in record.measures(mode).into_iter().flatten() {
            out.entry(*measure).or_default().push(*value);
        }
    }
    out.into_iter().collect()
}

fn targets(
    targets: &[Target],
    measures: &BTreeMap<EvalMode, BTreeMap<Measure, Estimate>>,
) -> Vec<Target> {
    let judged = |target: &Target| {
        let mean = measures
            .get(&target.mode)
            .and_then(|m| m.get(&target.measure))
            .and_then(|e| e.mean.mean);
        Target { mean, met: mean.map(|mean| target.is_met_by(mean)), ..target.clone() }
    };
    targets.iter().map(judged).collect()
}

/// F1 with the oracle context against F1 end to end, over the questions that both modes read.
fn readers(
    parts: &SummaryInput<'_>,
    measures: &BTreeMap<EvalMode, BTreeMap<Measure, Estimate>>,
) -> Result<Option<ReaderComparison>, Error> {
    let pair = |record: &QuestionRecord| {
        let value = |mode| record.measures(mode)?.get(&F1).copied();
        Some((value(EvalMode::E2e)?, value(EvalMode::Oracle)?))
    };
    let (e2e, oracle): (Vec<Value>, Vec<Value>) = parts.records.iter().filter_map(pair).unzip();
    let paired = Paired::compare(&e2e, &oracle, false, parts.seed)
        .map_err(|e| Error::Measure(e.to_string()))?;
    let Some(paired) = paired else {
        return Ok(None);
    };
    let name = format!("hit@{}", parts.context_k);
    let hit = name
        .parse()
        .ok()
        .and_then(|hit: Measure| measures.get(&EvalMode::Retrieval)?.get(&hit)?.mean.mean);
    let hit = hit.unwrap_or_else(|| hit_at(parts.records, parts.context_k));
    // With a single question, or the same difference everywhere, nothing is known of its spread.
    let Interval { low, high } = paired
        .interval
        .unwrap_or(Interval { low: paired.difference.min(0.0), high: paired.difference.max(0.0) });
    Ok(Some(ReaderComparison {
        oracle_f1: paired.mean_b,
        e2e_f1: paired.mean_a,
        difference: paired.difference,
        low,
        high,
        proportion: paired.mean_b * hit,
    }))
}

fn hit_at(records: &[QuestionRecord], k: usize) -> f64 {
    let with_evidence: Vec<_> = records.iter().filter(|r| r.retrieval.groups > 0).collect();
    let hit = |r: &&&QuestionRecord| r.retrieval.hits.iter().take(k).any(|h| !h.finds.is_empty());
    with_evidence.iter().filter(hit).count() as f64 / with_evidence.len().max(1) as f64
}

/// The first condition that holds: oracle F1 misses its target; the interval of oracle F1 − e2e F1
/// is above 0; a measure of claims misses its target.
fn bottleneck(
    targets: &[Target],
    readers: Option<&ReaderComparison>,
    measures: &BTreeMap<EvalMode, BTreeMap<Measure, Estimate>>,
) -> Option<Bottleneck> {
    if !measures.contains_key(&EvalMode::Oracle) || !measures.contains_key(&EvalMode::E2e) {
        return None;
    }
    let missed =
        |test: &dyn Fn(&Target) -> bool| targets.iter().any(|t| t.met == Some(false) && test(t));
    Some(if missed(&|t| t.mode == EvalMode::Oracle && t.measure == F1) {
        Bottleneck::Reader
    } else if readers.is_some_and(|r| r.low > 0.0) {
        Bottleneck::Retrieval
    } else if missed(&|t| matches!(t.measure, Measure::Claim(_))) {
        Bottleneck::Verification
    } else {
        Bottleneck::None
    })
}

fn abstention(records: &[QuestionRecord]) -> Abstention {
    let mut out = Abstention::default();
    for record in records {
        let Some(e2e) = &record.e2e else {
            continue;
        };
        // A question that failed was not refused. Answerable ones count in the means of the measures.
        if e2e.error.is_some() && !record.unanswerable {
            continue;
        }
        let cell = match (record.unanswerable, e2e.abstained) {
            (false, false) => &mut out.answered,
            (false, true) => &mut out.over_refusals,
            (true, false) => &mut out.false_answers,
            (true, true) => &mut out.correct_refusals,
        };
        *cell += 1;
    }
    out
}

fn spread(records: &[QuestionRecord]) -> BTreeMap<EvalMode, Spread> {
    let mut out = BTreeMap::new();
    for mode in EvalMode::READING {
        let reads = records.iter().filter(|r| !r.unanswerable);
        let reads = reads.filter_map(|r| r.read(mode));
        let reads: Vec<&ReadRecord> = reads.filter(|r| !r.repeats.is_empty()).collect();
        let Some(first) = reads.first() else {
            continue;
        };
        let (answers, questions) = (first.repeats.len() + 1, reads.len() as f64);
        let f1_of = |read: &ReadRecord| -> Vec<f64> {
            let first = read.measures.get(&F1).and_then(|v| v.score()).unwrap_or(0.0);
            std::iter::once(first).chain(read.repeats.iter().map(|again| again.f1)).collect()
        };
        let all: Vec<Vec<f64>> = reads.iter().map(|read| f1_of(read)).collect();
        let mean = |draw: usize| all.iter().filter_map(|f1| f1.get(draw)).sum::<f64>() / questions;
        let share = |holds: &dyn Fn(&ReadRecord) -> bool| {
            reads.iter().filter(|read| holds(read)).count() as f64 / questions
        };
        let spread = Spread {
            answers,
            questions: reads.len(),
            f1: (0..answers).map(mean).collect(),
            deviation: all.iter().map(|f1| deviation(f1)).sum::<f64>() / questions,
            same: share(&|read| read.repeats.iter().all(|again| again.answer == read.answer)),
            undecided: share(&|read| read.repeats.iter().any(|again| again.right != read.right)),
        };
        out.insert(mode, spread);
    }
    out
}

/// The sample standard deviation (n − 1).
fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (squares / (n - 1.0).max(1.0)).sqrt()
}

/// The curve at tenths of the questions, in the order of falling margins.
fn coverage(records: &[QuestionRecord]) -> Vec<CoveragePoint> {
    let point = |record: &QuestionRecord| {
        let e2e = record.e2e.as_ref()?;
        let f1 = e2e.measures.get(&F1).and_then(|value| value.score());
        Some((e2e.guard?.margin, f1.unwrap_or(0.0)))
    };
    let mut all: Vec<(f64, f64)> = records.iter().filter_map(point).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut counts: Vec<usize> = (1..=10).map(|tenth| (all.len() * tenth).div_ceil(10)).collect();
    counts.retain(|&n| n > 0);
    counts.dedup();
    let point = |n: usize| CoveragePoint {
        answered: n as f64 / all.len() as f64,
        f1: all[..n].iter().map(|(_, f1)| f1).sum::<f64>() / n as f64,
        margin: all[n - 1].0,
    };
    counts.into_iter().map(point).collect()
}

fn dense_loss(records: &[QuestionRecord]) -> Option<DenseLoss> {
    let with: Vec<(&QuestionRecord, f64)> =
        records.iter().filter_map(|r| Some((r, r.retrieval.dense_overlap?))).collect();
    if with.is_empty() {
        return None;
    }
    let difference = |name: &str| {
        let Ok(measure) = name.parse::<Measure>() else {
            return 0.0;
        };
        let differences: Vec<f64> = with
            .iter()
            .filter_map(|(r, _)| {
                let hnsw = r.retrieval.measures.get(&measure)?;
                let exact = r.retrieval.exact_measures.get(&measure).unwrap_or(hnsw);
                Some(hnsw.score()? - exact.score()?)
            })
            .collect();
        // Adding 0 turns -0, the sum of no values, into 0.
        differences.iter().sum::<f64>() / differences.len().max(1) as f64 + 0.0
    };
    let worst =
        with.iter().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, overlap)| *overlap < 1.0);
    Some(DenseLoss {
        overlap_at_10: with.iter().map(|(_, overlap)| overlap).sum::<f64>() / with.len() as f64,
        hit_at_5: difference("hit@5"),
        ndcg_at_10: difference("nDCG@10"),
        worst: worst.map(|(record, _)| record.id.clone()),
    })
}

fn tokens(records: &[QuestionRecord]) -> BTreeMap<EvalMode, Tokens> {
    let mut out: BTreeMap<EvalMode, Tokens> = BTreeMap::new();
    for record in records {
        for mode in EvalMode::READING {
            let Some(read) = record.read(mode).filter(|r| r.prompt_tokens > 0) else {
                continue;
            };
            let tokens = out.entry(mode).or_default();
            tokens.questions += 1;
            tokens.prompt += read.prompt_tokens;
            tokens.answer += read.answer_tokens;
        }
    }
    out
}

fn cost(tokens: &Tokens, prices: &PriceSettings) -> Cost {
    let (prompt, answer) = tokens.means();
    let per_question =
        (prompt * prices.prompt_per_million + answer * prices.answer_per_million) / 1_000_000.0;
    Cost {
        per_question,
        per_month: per_question * prices.questions_per_month,
        questions_per_month: prices.questions_per_month,
    }
}

/// Checks latency targets against the percentiles of the whole answer.
pub fn latency_targets(
    targets: &[LatencyTarget],
    latency: &BTreeMap<String, Latency>,
) -> Vec<LatencyTarget> {
    let whole = latency.get("e2e: whole");
    let judged = |target: &LatencyTarget| {
        let ms = whole.map(|latency| match target.percentile {
            50 => latency.p50,
            95 => latency.p95,
            _ => latency.p99,
        });
        LatencyTarget { ms, met: ms.map(|ms| ms < target.below_ms), ..*target }
    };
    targets.iter().map(judged).collect()
}

/// Latency percentiles by stage over uncached questions, and end-to-end questions per second.
pub fn latencies(timings: &[TimingRecord]) -> (BTreeMap<String, Latency>, Option<f64>) {
    let mut stages: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut add = |stage: &str, ms: f64| stages.entry(stage.to_owned()).or_default().push(ms);
    let mut total = 0.0;
    let mut whole = 0;
    for timing in timings {
        let stages = [
            ("rewrite", timing.rewrite_ms),
            ("embed", timing.embed_ms),
            ("dense", timing.dense_ms),
            ("bm25", timing.bm25_ms),
            ("rerank", timing.rerank_ms),
        ];
        let retrieval = stages.iter().map(|(_, ms)| ms).sum();
        add(&EvalMode::Retrieval.to_string(), retrieval);
        for (stage, ms) in stages {
            add(&format!("retrieval: {stage}"), ms);
        }
        if let Some(ms) = timing.oracle_ms {
            add("oracle: read", ms);
        }
        if let Some(ms) = timing.judge_ms {
            add("judge", ms);
        }
        if let Some(ms) = timing.e2e_ms {
            add("e2e: read", ms);
            add("e2e: whole", retrieval + ms);
            total += retrieval + ms;
            whole += 1;
        }
    }
    let latency = |times: &Vec<f64>| {
        let ms = |percent| percentile(times, percent).unwrap_or_default();
        Latency { p50: ms(50.0), p95: ms(95.0), p99: ms(99.0), n: times.len() }
    };
    let stages = stages.iter().map(|(stage, times)| (stage.clone(), latency(times))).collect();
    (stages, (total > 0.0).then(|| f64::from(whole) * 1000.0 / total))
}

#[cfg(test)]
mod tests {
    use fiel_record::{GuardRecord, RepeatRecord};

    use super::*;

    fn answered(f1: f64, margin: f64, again: f64) -> QuestionRecord {
        let read = ReadRecord {
            right: f1 == 1.0,
            measures: [(F1, Value::Ok(f1))].into(),
            guard: Some(GuardRecord { cosine: 0.0, share: 0.0, margin, refused: false }),
            repeats: vec![RepeatRecord {
                answer: String::new(),
                abstained: false,
                right: again == 1.0,
                f1: again,
            }],
            ..ReadRecord::default()
        };
        let blank = r#"{"schema":"fiel.record/1","id":"q","question":"Q?","lang":"en","split":"test",
            "tags":[],"unanswerable":false,"references":[],
            "retrieval":{"hits":[],"groups":0,"evidence":[],"measures":{}}}"#;
        QuestionRecord { e2e: Some(read), ..serde_json::from_str(blank).expect("a record") }
    }

    #[test]
    fn the_surest_questions_come_first_on_the_curve() {
        let records = [answered(0.0, -0.1, 0.0), answered(1.0, 0.3, 1.0)];
        let curve = coverage(&records);
        let points: Vec<(f64, f64)> = curve.iter().map(|p| (p.answered, p.f1)).collect();
        assert_eq!(points, [(0.5, 1.0), (1.0, 0.5)]);
        assert_eq!(coverage(&[]), []);
    }

    #[test]
    fn the_spread_is_within_questions() {
        let records = [answered(1.0, 0.0, 0.0), answered(1.0, 0.0, 1.0)];
        let spread = &spread(&records)[&EvalMode::E2e];
        assert_eq!((spread.answers, spread.questions), (2, 2));
        assert_eq!(spread.f1, [1.0, 0.5]);
        // sqrt(0.5) and 0.
        assert!((spread.deviation - 0.5_f64.sqrt() / 2.0).abs() < 1e-12);
        assert_eq!((spread.same, spread.undecided), (1.0, 0.5));
    }

    #[test]
    fn the_price_table_gives_cost_by_question_and_month() {
        let tokens = Tokens { questions: 2, prompt: 600, answer: 20 };
        let prices = PriceSettings {
            prompt_per_million: 1.0,
            answer_per_million: 10.0,
            questions_per_month: 1000.0,
        };
        let cost = cost(&tokens, &prices);
        assert!((cost.per_question - 0.0004).abs() < 1e-12);
        assert!((cost.per_month - 0.4).abs() < 1e-9);
    }

    #[test]
    fn cached_answers_are_not_in_the_latencies() {
        let timing = |e2e_ms| TimingRecord { embed_ms: 1.0, e2e_ms, ..TimingRecord::default() };
        let (stages, rate) = latencies(&[timing(Some(99.0)), timing(None)]);
        assert_eq!((stages["retrieval"].n, stages["e2e: whole"].n), (2, 1));
        assert_eq!(stages["e2e: whole"].p95, 100.0);
        assert_eq!(rate, Some(10.0));
    }
}
