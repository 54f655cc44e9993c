//! Ranking measures over 100,000 questions of 100 hits, and bootstrap intervals.
//! `peers.py` runs this and times ranx and ir_measures on the same data.

use std::{collections::BTreeMap, hint::black_box};

use criterion::{Criterion, criterion_group, criterion_main};
use fiel_metrics::{Measure, RankMeasure, Ranking, bootstrap_means};
use rayon::prelude::*;

const QUESTIONS: u64 = 100_000;
const HITS: u64 = 100;
const JUDGED: u64 = 12;
/// Number of documents: a prime, so that every step visits all of them.
const DOCUMENTS: u64 = 1_009;

/// All but Judged and all, which not every peer has.
const MEASURES: &str = "hit@1 hit@5 hit@10 RR RR@10 R@5 R@10 R@100 P@5 P@10 nDCG@5 nDCG@10 \
    nDCG@100 nDCG(exp)@10 AP Rprec";

type Judgements = BTreeMap<String, i32>;

/// The document at a position of a question's list; `peers.py` uses the same formula.
fn document(question: u64, position: u64) -> u64 {
    (question * 31 + position * (1 + question % 1_008)) % DOCUMENTS
}

/// Lists and judgements. About a third of the 12 judged documents is in the list.
fn data(names: &[String]) -> (Vec<Vec<&str>>, Vec<Judgements>) {
    let list = |question| -> Vec<&str> {
        (0..HITS).map(|rank| names[document(question, rank) as usize].as_str()).collect()
    };
    let judgements = |question| -> Judgements {
        (0..JUDGED)
            .map(|j| {
                let position = (question * 17 + j * j * 29) % 300;
                let name = names[document(question, position) as usize].clone();
                (name, ((question + j) % 4) as i32)
            })
            .collect()
    };
    ((0..QUESTIONS).map(list).collect(), (0..QUESTIONS).map(judgements).collect())
}

fn measures() -> Vec<RankMeasure> {
    let parse = |name: &str| match name.parse() {
        Ok(Measure::Rank(measure)) => measure,
        other => panic!("{name}: {other:?}"),
    };
    MEASURES.split_whitespace().map(parse).collect()
}

/// Values per question.
fn evaluate(rankings: &[Ranking], measures: &[RankMeasure]) -> Vec<Vec<Option<f64>>> {
    rankings
        .par_iter()
        .map(|ranking| measures.iter().map(|&m| ranking.measure(m)).collect())
        .collect()
}

fn ranking(c: &mut Criterion) {
    let names: Vec<String> = (0..DOCUMENTS).map(|d| format!("d{d}")).collect();
    let (lists, judgements) = data(&names);
    let measures = measures();
    let build = || -> Vec<Ranking> {
        lists
            .par_iter()
            .zip(&judgements)
            .map(|(list, judgements)| Ranking::from_qrels(list, judgements))
            .collect()
    };
    let rankings = build();
    for (at, measure) in measures.iter().enumerate() {
        let values = evaluate(&rankings[..1_000], &measures);
        let scores = values.iter().filter_map(|values| values[at]);
        let mean = scores.clone().sum::<f64>() / scores.count() as f64;
        println!("mean of the first 1,000 questions: {measure} {mean:.6}");
    }
    let mut group = c.benchmark_group("ranking");
    group.sample_size(10);
    group.bench_function("measures", |b| b.iter(|| black_box(evaluate(&rankings, &measures))));
    group.bench_function("ids_and_measures", |b| {
        b.iter(|| black_box(evaluate(&build(), &measures)))
    });
    group.finish();
}

fn bootstrap(c: &mut Criterion) {
    let columns: Vec<Vec<f64>> = (0..20u64)
        .map(|column| (0..1_000).map(|i| ((i * (column + 7)) % 101) as f64 / 100.0).collect())
        .collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut group = c.benchmark_group("bootstrap");
    group.sample_size(10);
    group.bench_function("20_measures_1000_questions", |b| {
        b.iter(|| black_box(bootstrap_means(&columns, 1)))
    });
    group.finish();
}

criterion_group!(benches, bootstrap, ranking);
criterion_main!(benches);
