//! `fiel diagnose` and `fiel schema`.

use serde_json::Value;

use crate::world::{GOLD, World};

#[test]
fn a_diagnosis_is_stored_in_the_folder_of_the_run() {
    let world = World::new();
    // One sentence cannot answer a question that needs two.
    let both = r#"{"id": "both", "question": "Past simple of eat and of drink?", "evidence": [{"doc": "eat", "quote": "Its past simple is *ate*"}, {"doc": "drink", "quote": "Its past simple is *drank*"}], "answers": ["ate and drank"], "answer_contains": ["ate", "drank"], "tags": ["style:split"], "split": "test"}"#;
    world.write("gold/small.jsonl", &format!("{GOLD}{both}\n"));
    world.stdout(&["eval", "--split", "all"]);
    let run = world.runs().pop().unwrap();
    let screen = world.stdout(&["diagnose", "--markdown", "diagnosis.md"]);
    assert!(screen.starts_with("small on small: 2 of 5 answers are wrong"), "{screen}");
    assert!(screen.contains("unexplained: 0 of 2"), "{screen}");
    let file = || std::fs::read_to_string(run.path.join("diagnosis.json")).unwrap();
    let first = file();
    let json = world.stdout(&["diagnose", &run.id, "--json", "--quiet"]);
    assert_eq!(file(), first);
    assert_eq!(json, first);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["schema"], "fiel.diagnosis/1");
    let markdown = std::fs::read_to_string(world.path("diagnosis.md")).unwrap();
    assert!(markdown.starts_with("## small on small"), "{markdown}");
    let page = std::fs::read_to_string(run.path.join("report.html")).unwrap();
    assert!(page.contains("\"diagnosis\":{\"questions\":5"));

    world.write("kb/small/drink.md", "# Drink\n\nIts past simple is *drank*, as is known.\n");
    let refused = world.refusal(&["diagnose"]);
    assert!(refused.contains("the knowledge base changed"), "{refused}");
    world.stdout(&["eval", "--modes", "retrieval"]);
    let refused = world.refusal(&["diagnose"]);
    assert!(refused.contains("no end-to-end answers"), "{refused}");
}

#[test]
fn schemas_are_listed_and_printed() {
    let world = World::new();
    let list = world.stdout(&["schema"]);
    for name in ["record", "summary", "comparison", "ablation", "diagnosis"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
        let schema: Value = serde_json::from_str(&world.stdout(&["schema", name])).unwrap();
        assert_eq!(schema["type"], "object", "{name}");
        assert!(schema["properties"]["schema"].is_object(), "{name}");
    }
    let refused = world.refusal(&["schema", "none"]);
    assert!(refused.contains("record, summary"), "{refused}");
}
