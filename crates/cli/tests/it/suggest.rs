//! `fiel gold suggest`: errors, and the drafts that it writes. Reviews need a terminal; their tests
//! are in `commands/gold/review.rs`.

use serde_json::Value;

use crate::world::{GOLD, SMOLLM2, World};

const PLAIN: &str = r#"{"id": "making", "question": "Which letter goes away before -ing?", "evidence": [{"doc": "make", "quote": "A silent *e* is dropped"}], "answers": ["e", "a silent e"], "tags": ["style:docs"], "split": "dev"}"#;

#[test]
fn a_review_needs_a_terminal() {
    let world = World::new();
    let message = world.refusal(&["gold", "suggest", "small"]);
    assert!(message.contains("standard input is not a terminal"), "{message}");
    assert!(message.contains("--drafts FILE"), "{message}");
    world.write("drafts.jsonl", "");
    let message = world.refusal(&["gold", "suggest", "small", "--review", "drafts.jsonl"]);
    assert!(message.contains("standard input is not a terminal"), "{message}");
    let gold = std::fs::read_to_string(world.path("gold/small.jsonl")).unwrap();
    assert_eq!(gold, GOLD);
}

#[test]
fn invalid_requests_for_drafts_are_refused_before_any_work() {
    let world = World::new();
    let suggest = |rest: &[&str]| world.refusal(&[&["gold", "suggest", "small"], rest].concat());
    let message = suggest(&["--drafts", "new.jsonl"]);
    assert!(message.contains("read.model is extractive: drafts need a language model"));
    world.write("old.jsonl", "");
    let message = suggest(&["--drafts", "old.jsonl"]);
    assert!(message.contains("old.jsonl: the file exists already"), "{message}");
    let message = suggest(&["--drafts", "new.jsonl", "--style", "rude"]);
    assert!(message.contains(
        "unknown variant `rude`, expected one of `plain`, `colloquial`, `typo`, `unanswerable`"
    ));
    assert!(suggest(&["--count", "0"]).contains("--count"));
    assert!(suggest(&["--review", "old.jsonl", "--count", "3"]).contains("cannot be used with"));
    assert!(!world.path("new.jsonl").exists());
}

#[test]
fn drafts_are_written_to_a_file_and_not_to_the_set() {
    let world = World::new();
    let before = format!("{GOLD}{PLAIN}\n");
    world.write("gold/small.jsonl", &before);
    let args = [
        "gold",
        "suggest",
        "small",
        "--reader",
        SMOLLM2,
        "--count",
        "2",
        "--style",
        "plain,typo",
        "--drafts",
        "drafts.jsonl",
        "--json",
        "--quiet",
    ];
    let report: Value = serde_json::from_str(&world.stdout(&args)).unwrap();
    let file = std::fs::read_to_string(world.path("drafts.jsonl")).unwrap();
    let drafts: Vec<Value> = file.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(report["drafts"], Value::from(drafts.clone()));
    assert_eq!(report["drafted"], drafts.len());
    // The small model's drafts may be unusable; the misspelled question needs no model.
    let typo = drafts.last().unwrap();
    assert_eq!((&typo["style"], &typo["source"]), (&"typo".into(), &"making".into()));
    assert_eq!(typo["question"]["id"], "making-typo");
    assert_eq!(typo["question"]["tags"], serde_json::json!(["style:typos", "drafted"]));
    assert!(typo["check"]["answer"].is_string(), "{typo}");
    let gold = std::fs::read_to_string(world.path("gold/small.jsonl")).unwrap();
    assert_eq!(gold, before);

    // The same seed gives the same drafts.
    std::fs::remove_file(world.path("drafts.jsonl")).unwrap();
    let again: Value = serde_json::from_str(&world.stdout(&args)).unwrap();
    assert_eq!(again, report);
}
