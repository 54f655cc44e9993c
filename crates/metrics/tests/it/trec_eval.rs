//! Ranking measures against trec_eval and ir_measures (`data/make_expected.py`).

use std::collections::BTreeMap;

use fiel_metrics::{Measure, Ranking, TrecHit, export_scores, parse_qrels, parse_run};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    qrels: BTreeMap<String, i32>,
    run: BTreeMap<String, f64>,
    /// `None` if no document is relevant.
    expected: Option<BTreeMap<Measure, f64>>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../data/trec.json")).unwrap()
}

/// The list in trec_eval's order, read from the text of a run file.
fn ranked(case: &Case) -> Vec<TrecHit> {
    let lines: String =
        case.run.iter().map(|(id, score)| format!("q Q0 {id} 0 {score} tag\n")).collect();
    parse_run(&lines).unwrap().remove("q").unwrap_or_default()
}

fn ranking(list: &[TrecHit], case: &Case) -> Ranking {
    let lines: String =
        case.qrels.iter().map(|(id, grade)| format!("q 0 {id} {grade}\n")).collect();
    let ids: Vec<&str> = list.iter().map(|hit| hit.id.as_str()).collect();
    Ranking::from_qrels(&ids, &parse_qrels(&lines).unwrap()["q"])
}

#[test]
fn ranking_measures_equal_trec_eval() {
    let cases = cases();
    let (mut compared, mut undefined) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let ranking = ranking(&ranked(case), case);
        let Some(expected) = &case.expected else {
            assert_eq!(ranking.relevant(), 0);
            undefined += 1;
            continue;
        };
        for (&measure, &expected) in expected {
            let Measure::Rank(rank_measure) = measure else {
                panic!("{measure} is not a ranking measure");
            };
            let got = ranking.measure(rank_measure).unwrap();
            // The file holds seven decimals.
            assert!(
                (got - expected).abs() < 1e-7,
                "case {number}: {measure}: expected {expected}, got {got}"
            );
            compared += 1;
        }
    }
    assert!(cases.len() - undefined >= 200 && compared >= 3_000);
    assert!(cases.iter().any(|case| case.run.is_empty()));
}

#[test]
fn exported_scores_keep_the_order_in_trec_eval() {
    for case in cases() {
        let list = ranked(&case);
        let scores: Vec<f64> = list.iter().map(|hit| hit.score).collect();
        // Any tie would reverse ascending ids.
        let lines: String = export_scores(&scores)
            .unwrap()
            .iter()
            .enumerate()
            .map(|(rank, score)| format!("q Q0 {rank:04} {rank} {score} tag\n"))
            .collect();
        let run = parse_run(&lines).unwrap();
        let ids: Vec<usize> =
            run.get("q").into_iter().flatten().map(|hit| hit.id.parse().unwrap()).collect();
        assert!(ids.is_sorted() && ids.len() == list.len());
    }
}
