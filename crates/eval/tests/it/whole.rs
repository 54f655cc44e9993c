//! Retrieval, oracle and end to end with MiniLM and SmolLM2. The model reads slowly, so few
//! questions are asked and all tests look at the same three runs.

use fiel_record::EvalMode;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use fiel_eval::Finished;
use fiel_gold::Selection;
use fiel_runs::RunFolder;
use serde_json::Value;

use crate::world::{ALL, SMOLLM2, World, modes, records, settings, summary};

/// Two questions with an answer and one without.
const ASKED: [&str; 3] = ["participle", "both", "absent"];

/// A finished run with what it left on disk.
struct Run {
    finished: Finished,
    records: String,
    summary: Value,
}

/// The same evaluation from empty caches, again with them, and from empty caches elsewhere.
fn runs() -> &'static [Run; 3] {
    static RUNS: OnceLock<[Run; 3]> = OnceLock::new();
    RUNS.get_or_init(|| {
        let run = |world: &World| {
            let selection =
                Selection { only: ASKED.map(str::to_owned).to_vec(), ..Selection::default() };
            let finished = world.evaluate_with(
                &settings(SMOLLM2),
                &modes(&ALL),
                &selection,
                &AtomicBool::new(false),
                &mut |_| {},
            );
            let folder = RunFolder::find(&world.runs(), "last").unwrap();
            assert_eq!(folder.records().unwrap(), finished.records);
            assert_eq!(folder.summary().unwrap(), finished.summary);
            Run { records: records(&finished.folder), summary: summary(&finished.folder), finished }
        };
        let (here, elsewhere) = (World::new(), World::new());
        [run(&here), run(&here), run(&elsewhere)]
    })
}

#[test]
fn there_is_a_record_a_question_in_gold_order() {
    let lines: Vec<Value> =
        runs()[0].records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = lines.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ASKED);
    for line in &lines {
        assert!(line["retrieval"]["hits"].as_array().unwrap().len() >= 4, "{line}");
        // The oracle has nothing to show for a question without an answer.
        let answerable = line["id"] != "absent";
        assert_eq!(line["oracle"].is_object(), answerable, "{line}");
        assert!(line["e2e"]["prompt"].as_str().unwrap().contains("<|im_start|>assistant"));
    }
}

#[test]
fn every_measure_has_its_mean_and_its_counts() {
    let summary = &runs()[0].summary;
    let retrieval = ["hit@1", "hit@3", "hit@5", "hit@10", "RR@10", "R@5", "P@5", "nDCG@10"];
    let reading = [
        "EM",
        "contains",
        "F1",
        "answer_contains",
        "accuracy",
        "faithfulness_strict",
        "faithfulness_loose",
        "citation_precision",
        "citation_coverage",
    ];
    for (mode, names) in [("retrieval", &retrieval[..]), ("oracle", &reading), ("e2e", &reading)] {
        for name in names {
            let measure = &summary["measures"][mode][name];
            let count = |key: &str| measure[key].as_u64().unwrap();
            // Two questions have an answer; the third is in no mean.
            assert_eq!(count("n") + count("undefined"), 2, "{mode} {name}: {measure}");
            assert_eq!(count("failed"), 0, "{mode} {name}");
            let mean = measure["mean"].as_f64();
            assert_eq!(mean.is_some(), count("n") > 0, "{mode} {name}: {measure}");
            assert!(mean.is_none_or(|mean| (0.0..=1.0).contains(&mean)), "{mode} {name}");
        }
    }
    assert_eq!(summary["dense_loss"]["overlap_at_10"], 1.0);
}

#[test]
fn em_is_at_most_f1_and_contains() {
    for record in &runs()[0].finished.records {
        for read in [&record.oracle, &record.e2e].into_iter().flatten() {
            let value = |name: &str| read.measures.get(&name.parse().unwrap())?.score();
            let Some(em) = value("EM") else {
                assert!(record.unanswerable);
                continue;
            };
            assert!(em <= value("F1").unwrap() && em <= value("contains").unwrap());
        }
    }
}

#[test]
fn targets_are_judged_and_missed_ones_reported_as_missed() {
    let summary = &runs()[0].finished.summary;
    let target = |mode: EvalMode| summary.targets.iter().find(|t| t.mode == mode).unwrap();
    assert_eq!(target(EvalMode::Retrieval).met, Some(true));
    // SmolLM2 does not reach a perfect F1.
    assert_eq!(target(EvalMode::Oracle).met, Some(false));
    assert_eq!(summary.bottleneck, Some(fiel_record::Bottleneck::Reader));
}

#[test]
fn a_second_run_answers_from_the_cache_with_the_same_bytes() {
    let [first, second, _] = runs();
    let timing = |run: &Run| {
        let timing = &run.finished.summary.timing;
        (timing.fresh_answers, timing.cached_answers)
    };
    // 2 in oracle mode and 3 end to end; equal prompts are answered once.
    assert_eq!(timing(first).0 + timing(first).1, 5);
    assert!(timing(first).0 >= 4);
    assert_eq!(timing(second), (0, 5));
    assert_eq!(second.records, first.records);
    assert_eq!(second.summary, first.summary);
}

#[test]
fn two_runs_from_empty_caches_give_the_same_bytes() {
    let [first, _, elsewhere] = runs();
    assert_eq!(elsewhere.records, first.records);
    assert_eq!(elsewhere.summary, first.summary);
}

#[test]
fn latencies_are_of_uncached_questions_only() {
    let [first, second, _] = runs();
    let latency = |run: &Run, stage: &str| {
        let latency = run.finished.summary.timing.latency.get(stage)?;
        assert!(latency.p50 <= latency.p95 && latency.p95 <= latency.p99);
        Some(latency.n)
    };
    assert_eq!(latency(first, "retrieval"), Some(3));
    assert!(latency(first, "e2e: whole").unwrap() >= 2);
    assert_eq!(latency(second, "e2e: whole"), None);
    let timing = &first.finished.summary.timing;
    assert!(timing.questions_per_second.unwrap() > 0.0);
    assert!(cfg!(not(target_os = "linux")) || timing.peak_memory.unwrap() > 100_000_000);
}

#[test]
fn tokens_and_cost_are_counted() {
    let summary = &runs()[0].finished.summary;
    let tokens = summary.tokens[&EvalMode::E2e];
    assert_eq!(tokens.questions, 3);
    let (prompt, answer) = tokens.means();
    assert!((100.0..=320.0).contains(&prompt), "{prompt}");
    // Eight tokens at the most, and as many for each of three other beginnings.
    assert!(answer <= 32.0, "{answer}");
    // A local model costs nothing.
    assert_eq!(summary.cost.unwrap().per_question, 0.0);
}

#[test]
fn no_answer_holds_a_marker_of_the_template() {
    for record in &runs()[0].finished.records {
        for read in [&record.oracle, &record.e2e].into_iter().flatten() {
            let answer = &read.answer;
            assert!(!answer.contains("<|") && !answer.contains('\u{fffd}'), "{answer}");
        }
    }
}
