//! Values worked out by hand.

use std::collections::BTreeMap;

use super::*;
use crate::Measure;

fn value(ranking: &Ranking, name: &str) -> f64 {
    match name.parse() {
        Ok(Measure::Rank(measure)) => ranking.measure(measure).unwrap(),
        other => panic!("{name}: {other:?}"),
    }
}

fn judged(list: &[&str], judgements: &[(&str, i32)]) -> Ranking {
    let judgements: BTreeMap<String, i32> =
        judgements.iter().map(|&(id, g)| (id.into(), g)).collect();
    Ranking::from_qrels(list, &judgements)
}

#[track_caller]
fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 5e-5, "expected {expected}, got {got}");
}

#[test]
fn hit_and_recall() {
    let ranking = judged(&["A", "x", "y"], &[("A", 1), ("B", 1), ("C", 1)]);
    close(value(&ranking, "hit@1"), 1.0);
    close(value(&ranking, "R@1"), 0.3333);
    close(value(&ranking, "all@3"), 0.0);
}

#[test]
fn precision_divides_by_k() {
    let ranking = judged(&["A", "x", "B"], &[("A", 1), ("B", 1)]);
    close(value(&ranking, "P@5"), 0.4);
    close(value(&ranking, "all@3"), 1.0);
    close(value(&ranking, "Rprec"), 0.5);
}

#[test]
fn reciprocal_rank_and_its_mean() {
    let lists: [&[&str]; 3] = [&["A"], &["x", "y", "A"], &["x"]];
    let values = lists.map(|list| value(&judged(list, &[("A", 1)]), "RR@10"));
    close(values.iter().sum::<f64>() / 3.0, 0.4444);
    let eleventh = ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "A", "l", "m"];
    let ranking = judged(&eleventh, &[("A", 1)]);
    close(value(&ranking, "RR@10"), 0.0);
    close(value(&ranking, "RR"), 1.0 / 11.0);
}

#[test]
fn graded_ndcg() {
    let ranking = judged(&["a", "b", "c"], &[("a", 1), ("b", 3), ("d", 2)]);
    close(value(&ranking, "nDCG@3"), 0.6075);
    close(value(&ranking, "nDCG(exp)@3"), 0.5767);
    let huge = judged(&["a"], &[("a", i32::MAX), ("b", i32::MAX)]);
    assert!(value(&huge, "nDCG(exp)@5").is_finite());
}

#[test]
fn a_duplicate_gains_nothing() {
    let ranking = judged(&["A", "A"], &[("A", 1), ("B", 1)]);
    close(value(&ranking, "nDCG@2"), 0.6131);
    close(value(&ranking, "R@2"), 0.5);
}

#[test]
fn average_precision_divides_by_all_relevant_items() {
    let ranking = judged(&["A", "x", "B"], &[("A", 1), ("B", 1), ("C", 1), ("D", 1)]);
    close(value(&ranking, "AP"), 0.4167);
}

#[test]
fn judged_share() {
    let ranking = judged(&["A", "x", "n"], &[("A", 1), ("n", 0)]);
    close(value(&ranking, "Judged@10"), 2.0 / 3.0);
    close(value(&ranking, "Judged@2"), 0.5);
    let evidence = Ranking::from_evidence(&[vec![0]], 1).unwrap();
    assert_eq!(evidence.measure(RankMeasure::Judged(Cutoff::new(1).unwrap())), None);
}

#[test]
fn empty_list_scores_zero_and_no_relevant_item_is_undefined() {
    let names =
        ["hit@5", "RR", "R@5", "P@5", "nDCG@5", "nDCG(exp)@5", "AP", "Judged@5", "Rprec", "all@5"];
    for name in names {
        let Ok(Measure::Rank(measure)) = name.parse() else {
            panic!("{name}");
        };
        let empty = judged(&[], &[("A", 1)]);
        assert_eq!(empty.measure(measure), Some(0.0), "{name}");
        let none_relevant = judged(&["A"], &[("A", 0)]);
        assert_eq!(none_relevant.measure(measure), None, "{name}");
    }
}

#[test]
fn one_chunk_with_two_spans_scores_at_most_one() {
    let ranking = Ranking::from_evidence(&[vec![0, 1], vec![], vec![0]], 2).unwrap();
    for name in ["hit@1", "RR", "R@1", "P@1", "nDCG@1", "nDCG@5", "AP", "all@1"] {
        close(value(&ranking, name), 1.0);
    }
    close(value(&ranking, "P@5"), 0.4);
    let second = Ranking::from_evidence(&[vec![], vec![0, 1]], 2).unwrap();
    close(value(&second, "AP"), 1.0);
    close(value(&second, "Rprec"), 1.0);
}

#[test]
fn two_chunks_over_one_span_count_once() {
    let ranking = Ranking::from_evidence(&[vec![0], vec![0]], 1).unwrap();
    close(value(&ranking, "P@2"), 0.5);
    close(value(&ranking, "R@2"), 1.0);
    close(value(&ranking, "nDCG@2"), 1.0);
    close(value(&ranking, "AP"), 1.0);
}
