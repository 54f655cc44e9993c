//! `fiel eval`: stored files, output, choice of questions, exit status.

use fiel_record::Summary;

use crate::world::{SMOLLM2, World};

/// Ids of the questions of the last run.
fn asked(world: &World, args: &[&str]) -> Vec<String> {
    let mut all = vec!["eval", "--modes", "retrieval"];
    all.extend(args);
    world.stdout(&all);
    let records = world.runs().last().unwrap().records().unwrap();
    records.into_iter().map(|record| record.id.to_string()).collect()
}

#[test]
fn the_test_split_is_evaluated_in_gold_order() {
    let world = World::new();
    assert_eq!(asked(&world, &[]), ["participle", "drank", "ate", "absent"]);
}

#[test]
fn split_limit_and_only_choose_questions() {
    for (args, ids) in [
        (&["--split", "dev"][..], &["spelling"][..]),
        (&["--split", "all", "--limit", "3"], &["participle", "drank", "absent"]),
        (&["--only", "style:docs"], &["participle", "drank", "absent"]),
        (&["--only", "ate", "--only", "participle"], &["participle", "ate"]),
        (&["--only", "style:docs", "--limit", "1"], &["drank"]),
    ] {
        let world = World::new();
        assert_eq!(asked(&world, args), ids, "{args:?}");
    }
}

#[test]
fn a_run_is_stored_as_records_and_summary() {
    let world = World::new();
    let screen = world.stdout(&["eval"]);
    let run = world.runs().pop().unwrap();
    assert!(screen.contains(&run.id), "{screen}");
    assert!(screen.contains(".fiel/runs/"), "{screen}");
    assert_eq!(run.records().unwrap().len(), 4);
    let text = std::fs::read_to_string(run.path.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (mode, measure) in [("retrieval", "hit@5"), ("oracle", "F1"), ("e2e", "F1")] {
        let value = &summary["measures"][mode][measure];
        for key in ["mean", "n", "undefined", "failed"] {
            assert!(value[key].is_number(), "{mode}.{measure}.{key}");
        }
    }
}

#[test]
fn the_screen_shows_measures_and_misses() {
    let world = World::new();
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 0.8\n\"e2e.F1\" = 1.0\n");
    let screen = world.stdout(&["eval"]);
    for part in ["hit@5", "MRR@10", "F1", "abst", "ottleneck"] {
        assert!(screen.contains(part), "`{part}` in:\n{screen}");
    }
}

#[test]
fn a_missed_target_fails_only_with_gate() {
    let world = World::new();
    let eval = ["eval", "--modes", "retrieval"];
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 0.5\n");
    world.fiel(&eval).arg("--gate").assert().code(0);
    // Both relevant chunks are never in the top five.
    world.write("gold/small.toml", "[targets]\n\"retrieval.P@5\" = 0.9\n");
    world.fiel(&eval).assert().code(0);
    let gated = world.fiel(&eval).arg("--gate").assert().code(1);
    let screen = String::from_utf8(gated.get_output().stdout.clone()).unwrap();
    assert!(screen.contains("≥ 0.90 MISSED"), "{screen}");
    // A target of a mode that does not run is not measured.
    world.write("gold/small.toml", "[targets]\n\"e2e.F1\" = 1.0\n");
    world.fiel(&eval).arg("--gate").assert().code(1);
    world.fiel(&eval).args(["--gate", "--allow-missing"]).assert().code(0);
}

#[test]
fn a_second_run_has_the_same_records_and_only_cached_answers() {
    let world = World::new();
    let run = || -> Summary {
        let args = ["eval", "--reader", SMOLLM2, "--limit", "1", "--json", "--quiet"];
        serde_json::from_str(&world.stdout(&args)).unwrap()
    };
    let (first, second) = (run(), run());
    assert_eq!((first.timing.fresh_answers, first.timing.cached_answers), (2, 0));
    assert_eq!((second.timing.fresh_answers, second.timing.cached_answers), (0, 2));
    let records = |at: usize| std::fs::read(world.runs()[at].path.join("records.jsonl")).unwrap();
    assert_eq!(records(0), records(1));
    assert_eq!(first.manifest, second.manifest);
}

#[test]
fn threads_change_nothing_but_the_time() {
    let worlds = ["1", "2"].map(|threads| {
        let world = World::new();
        world.stdout(&["eval", "--threads", threads]);
        let run = world.runs().pop().unwrap();
        std::fs::read_to_string(run.path.join("records.jsonl")).unwrap()
    });
    assert_eq!(worlds[0], worlds[1]);
}
