//! `--json` prints one JSON value to standard output and nothing else.

use serde_json::Value;

use crate::world::World;

fn json(world: &World, args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.push("--json");
    let text = world.stdout(&all);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

#[test]
fn every_command_prints_one_json_value() {
    let world = World::new();
    let indexed = json(&world, &["index"]);
    assert_eq!((&indexed["documents"], &indexed["chunks"]), (&3.into(), &4.into()));
    assert_eq!(indexed["embedded_now"], 4);

    let summary = json(&world, &["eval"]);
    assert_eq!(summary["schema"], "fiel.summary/1");
    let stored = world.runs().pop().unwrap().summary().unwrap();
    assert_eq!(summary, serde_json::to_value(stored).unwrap());

    let found = json(&world, &["search", "past participle of eat"]);
    assert_eq!(found[0]["chunk"], "eat#2");
    assert_eq!((&found[0]["bm25_rank"], &found[0]["dense_rank"]), (&1.into(), &1.into()));
    assert!(found[0]["passage"].as_str().unwrap().contains("eaten"));

    let answer = json(&world, &["ask", "past participle of eat?"]);
    assert_eq!(answer["cited"][0], "eat#2");
    assert_eq!(answer["abstained"], false);

    let models = json(&world, &["models", "list"]);
    assert_eq!(models.as_array().unwrap().len(), 5);
    let verified = json(&world, &["models", "verify", "all-MiniLM-L6-v2"]);
    assert_eq!(verified[0]["check"], "verified");
    let fetched = json(&world, &["models", "fetch", "all-MiniLM-L6-v2"]);
    assert_eq!(fetched[0]["id"], "all-MiniLM-L6-v2");

    let findings = json(&world, &["doctor"]);
    assert!(findings.as_array().unwrap().iter().all(|f| f["good"].is_boolean()));
    let cleaned = json(&world, &["clean", "--dry-run"]);
    assert!(cleaned.as_array().unwrap().iter().all(|c| c["deleted"] == false));
}

#[test]
fn an_error_leaves_standard_output_empty() {
    let world = World::new();
    world.refusal(&["eval", "--kb", "none", "--json"]);
    world.refusal(&["search", "", "--json"]);
}

#[test]
fn json_is_the_same_in_two_runs_apart_from_times() {
    let world = World::new();
    let run = || {
        let mut summary = json(&world, &["eval"]);
        summary.as_object_mut().unwrap().remove("timing").unwrap();
        summary
    };
    assert_eq!(run(), run());
}
