//! Properties of the ranking measures and the statistics.

use std::collections::BTreeMap;

use fiel_metrics::{
    Measure, Paired, RankMeasure, Ranking, Value, auroc, bootstrap_mean, finds, holm, parse_qrels,
    parse_run, percentile, wilson,
};
use proptest::prelude::*;

fn measure(name: &str) -> RankMeasure {
    match name.parse() {
        Ok(Measure::Rank(measure)) => measure,
        other => panic!("{name}: {other:?}"),
    }
}

fn all_measures() -> Vec<RankMeasure> {
    let mut measures = vec![measure("RR"), measure("AP"), measure("Rprec")];
    for k in [1, 2, 3, 5, 10, 50] {
        for head in ["hit", "RR", "R", "P", "nDCG", "nDCG(exp)", "Judged", "all"] {
            measures.push(measure(&format!("{head}@{k}")));
        }
    }
    measures
}

/// A list with repetitions and graded judgements of the same documents.
fn judged() -> impl Strategy<Value = (Vec<String>, BTreeMap<String, i32>)> {
    let id = (0u8..25).prop_map(|n| format!("d{n}"));
    (prop::collection::vec(id.clone(), 0..40), prop::collection::btree_map(id, -1i32..5, 0..15))
}

/// The evidence groups that each chunk finds, of at most five.
fn evidence() -> impl Strategy<Value = (Vec<Vec<usize>>, usize)> {
    (1usize..6).prop_flat_map(|groups| {
        let chunk = prop::collection::vec(0..groups, 0..4);
        (prop::collection::vec(chunk, 0..15), Just(groups))
    })
}

fn check_range(ranking: &Ranking) -> Result<(), TestCaseError> {
    for measure in all_measures() {
        match ranking.measure(measure) {
            Some(value) => prop_assert!((0.0..=1.0).contains(&value), "{measure}: {value}"),
            None => {
                let judged = matches!(measure, RankMeasure::Judged(_));
                prop_assert!(ranking.relevant() == 0 || judged, "{measure}");
            }
        }
    }
    Ok(())
}

fn check_monotonicity(ranking: &Ranking) -> Result<(), TestCaseError> {
    for head in ["hit", "RR", "R", "all"] {
        let values: Vec<Option<f64>> =
            (1..20).map(|k| ranking.measure(measure(&format!("{head}@{k}")))).collect();
        prop_assert!(values.is_sorted(), "{head}: {values:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn ranges_and_monotonicity_of_judged_lists((ids, judgements) in judged()) {
        let ranking = Ranking::from_qrels(&ids, &judgements);
        check_range(&ranking)?;
        check_monotonicity(&ranking)?;
    }

    #[test]
    fn ranges_and_monotonicity_of_evidence((found, groups) in evidence()) {
        let ranking = Ranking::from_evidence(&found, groups).unwrap();
        check_range(&ranking)?;
        check_monotonicity(&ranking)?;
    }

    #[test]
    fn measures_agree_with_one_another((ids, judgements) in judged(), k in 1u32..20) {
        let ranking = Ranking::from_qrels(&ids, &judgements);
        let value = |head: &str| ranking.measure(measure(&format!("{head}@{k}")));
        if let (Some(hit), Some(rr), Some(recall), Some(all), Some(precision)) =
            (value("hit"), value("RR"), value("R"), value("all"), value("P"))
        {
            prop_assert_eq!(hit == 1.0, rr > 0.0);
            prop_assert_eq!(hit == 1.0, recall > 0.0);
            prop_assert_eq!(all == 1.0, recall == 1.0);
            let found = precision * f64::from(k);
            prop_assert!((found - recall * ranking.relevant() as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn repetitions_change_nothing((ids, judgements) in judged()) {
        let mut twice = ids.clone();
        twice.extend(ids.iter().cloned());
        prop_assert_eq!(
            Ranking::from_qrels(&ids, &judgements),
            Ranking::from_qrels(&twice, &judgements)
        );
    }

    #[test]
    fn a_perfect_list_scores_one(judgements in judged().prop_map(|(_, judgements)| judgements)) {
        let mut ids: Vec<&String> = judgements.keys().collect();
        ids.sort_by_key(|&id| -judgements[id]);
        let ranking = Ranking::from_qrels(&ids, &judgements);
        for name in ["hit@1", "RR", "R@50", "nDCG@10", "nDCG(exp)@10", "AP", "Rprec", "all@50"] {
            let expected = (ranking.relevant() > 0).then_some(1.0);
            prop_assert_eq!(ranking.measure(measure(name)), expected, "{}", name);
        }
    }

    /// Two spans in one chunk and two chunks over one span: recall counts groups.
    #[test]
    fn recall_counts_distinct_groups((found, groups) in evidence(), k in 1usize..20) {
        let ranking = Ranking::from_evidence(&found, groups).unwrap();
        let mut distinct: Vec<usize> = found.iter().take(k).flatten().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let recall = ranking.measure(measure(&format!("R@{k}"))).unwrap();
        prop_assert_eq!(recall, distinct.len() as f64 / groups as f64);
    }

    #[test]
    fn the_order_of_lines_changes_nothing(
        hits in prop::collection::btree_map("[a-f]{1,2}", -2i8..3, 0..12),
        shuffle in any::<u64>(),
    ) {
        let mut run: Vec<String> = hits.iter().map(|(id, s)| format!("q Q0 {id} 1 {s} t")).collect();
        let mut qrels: Vec<String> = hits.iter().map(|(id, s)| format!("q 0 {id} {s}")).collect();
        let (sorted_run, sorted_qrels) = (parse_run(&run.join("\n")), parse_qrels(&qrels.join("\n")));
        for lines in [&mut run, &mut qrels] {
            let length = lines.len().max(1);
            lines.rotate_left(shuffle as usize % length);
            lines.reverse();
        }
        prop_assert_eq!(parse_run(&run.join("\n")), sorted_run);
        prop_assert_eq!(parse_qrels(&qrels.join("\n")), sorted_qrels);
    }

    #[test]
    fn a_chunk_finds_the_spans_it_covers(text in "\\PC{0,40}", cut in any::<prop::sample::Index>()) {
        let all = 0..text.len();
        let cut = cut.index(text.len() + 1);
        let blank = text.trim().is_empty();
        prop_assert_eq!(finds(&text, all.clone(), all.clone()), !blank);
        // Of two chunks that divide a span, at least one finds it.
        let either = finds(&text, 0..cut, all.clone()) || finds(&text, cut..text.len(), all);
        prop_assert_eq!(either, !blank);
    }

    #[test]
    fn names_round_trip(k in 1u32.., head in prop::sample::select(vec![
        "hit", "RR", "R", "P", "nDCG", "nDCG(exp)", "Judged", "all",
    ])) {
        let name = format!("{head}@{k}");
        prop_assert_eq!(name.parse::<Measure>().unwrap().to_string(), name);
    }

    #[test]
    fn intervals_hold_their_estimate(hits in 0usize..60, misses in 0usize..60) {
        if let Some(interval) = wilson(hits, hits + misses) {
            let share = hits as f64 / (hits + misses) as f64;
            prop_assert!(0.0 <= interval.low && interval.low <= share);
            prop_assert!(share <= interval.high && interval.high <= 1.0);
        }
    }

    #[test]
    fn holm_follows_the_order_of_its_input(mut p in prop::collection::vec(0.0f64..1.0, 0..8)) {
        let adjusted = holm(&p);
        prop_assert!(p.iter().zip(&adjusted).all(|(p, adjusted)| p <= adjusted && *adjusted <= 1.0));
        p.reverse();
        let reversed: Vec<f64> = adjusted.into_iter().rev().collect();
        prop_assert_eq!(holm(&p), reversed);
    }

    #[test]
    fn negated_scores_mirror_the_auroc(
        pairs in prop::collection::vec((-3i8..4, any::<bool>()), 1..30)
    ) {
        let scores: Vec<f64> = pairs.iter().map(|&(score, _)| f64::from(score)).collect();
        let negated: Vec<f64> = scores.iter().map(|score| -score).collect();
        let labels: Vec<bool> = pairs.iter().map(|&(_, label)| label).collect();
        let (a, b) = (auroc(&scores, &labels).unwrap(), auroc(&negated, &labels).unwrap());
        match (a, b) {
            (Some(a), Some(b)) => prop_assert!((a + b - 1.0).abs() < 1e-12),
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    #[test]
    fn a_percentile_is_one_of_the_values(values in prop::collection::vec(-9.0f64..9.0, 1..20), percent in 0.0f64..=100.0) {
        let value = percentile(&values, percent).unwrap();
        prop_assert!(values.contains(&value));
        let at_or_below = values.iter().filter(|&&v| v <= value).count() as f64;
        prop_assert!(at_or_below * 100.0 / values.len() as f64 >= percent - 1e-6);
    }
}

proptest! {
    // Each case resamples, which is slow.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn bootstrap_stays_within_the_values(values in prop::collection::vec(-5.0f64..5.0, 1..20), seed: u64) {
        let interval = bootstrap_mean(&values, seed).unwrap().unwrap();
        prop_assert!(interval.low <= interval.high);
        prop_assert!(values.iter().any(|&v| v <= interval.low));
        prop_assert!(values.iter().any(|&v| v >= interval.high));
    }

    #[test]
    fn swapped_runs_mirror(
        pairs in prop::collection::vec((0u8..5, 0u8..5), 1..20), seed: u64, binary: bool,
    ) {
        let value = |v: u8| Value::Ok(f64::from(if binary { v % 2 } else { v }) / 4.0);
        let (a, b): (Vec<Value>, Vec<Value>) =
            pairs.iter().map(|&(a, b)| (value(a), value(b))).unzip();
        let forth = Paired::compare(&a, &b, binary, seed).unwrap().unwrap();
        let back = Paired::compare(&b, &a, binary, seed).unwrap().unwrap();
        prop_assert!((forth.difference + back.difference).abs() < 1e-12);
        let ends = forth.interval.zip(back.interval).map(|(a, b)| a.low + b.high);
        prop_assert!(ends.is_none_or(|sum| sum.abs() < 1e-9));
        prop_assert_eq!(forth.p, back.p);
        prop_assert_eq!((forth.wins, forth.losses), (back.losses, back.wins));
        prop_assert!(forth.p > 0.0 && forth.p <= 1.0);
        prop_assert_eq!(forth.identical, a == b);
    }
}
