//! `fiel score --answers`: which judge scores the answers of another system.

use crate::world::{World, refusal};

const ANSWERS: &str = r#"{"id": "participle", "contexts": ["The past participle of eat is eaten."], "answer": "The past participle of eat is eaten [1]."}
{"id": "drank", "contexts": ["Its past simple is drank."], "answer": "The river Ebro flows through Zaragoza, idiot."}
{"id": "ate", "answer": "ate"}
"#;

fn scored(world: &World, args: &[&str]) -> serde_json::Value {
    let all = [&["score", "--answers", "answers.jsonl", "--json", "--quiet"], args];
    serde_json::from_str(&world.stdout(&all.concat())).unwrap()
}

#[test]
fn answers_are_judged_as_eval_judges_them() {
    let world = World::new();
    world.write("answers.jsonl", ANSWERS);
    let summary = scored(&world, &[]);
    let e2e = &summary["measures"]["e2e"];
    assert_eq!(summary["judge"]["scorer"], "grounded");
    assert_eq!(e2e["grounding"]["mean"], 0.5, "{e2e}");
    // An answer without contexts cannot be judged.
    assert_eq!(e2e["grounding"]["undefined"], 1, "{e2e}");
    assert!(summary["timing"]["latency"]["judge"]["n"].is_number());
    assert_eq!(summary["timing"]["latency"].as_object().unwrap().len(), 1);
    let other = scored(&world, &["--judge", "none"]);
    assert!(other["judge"].is_null() && other["measures"]["e2e"]["grounding"].is_null());
    assert_eq!(other["measures"]["e2e"]["faithfulness_loose"], e2e["faithfulness_loose"]);
    assert_ne!(other["manifest"]["key"], summary["manifest"]["key"]);
}

#[test]
fn without_a_judge_no_model_is_needed() {
    let world = World::new();
    world.write("answers.jsonl", ANSWERS);
    let score = ["score", "--answers", "answers.jsonl", "--quiet"];
    let message = refusal(&mut world.without_models(&score));
    assert!(message.contains("all-MiniLM-L6-v2"), "{message}");
    assert!(world.runs().is_empty());
    // Judged qualities of the settings are left out, too; toxicity needs no model.
    world.write(
        "fiel.toml",
        "kb = \"small\"\ngold = \"small\"\n[judge]\nqualities = [\"completeness\", \"toxicity\"]\n",
    );
    let mut without = world.without_models(&[&score[..], &["--judge", "none", "--json"]].concat());
    let output = without.assert().success();
    let summary: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let e2e = &summary["measures"]["e2e"];
    assert!(e2e["completeness"].is_null() && e2e["grounding"].is_null());
    assert!(e2e["toxicity"]["mean"].as_f64().unwrap() > 0.0, "{e2e}");
    // Contexts alone are not judged.
    world.write("answers.jsonl", r#"{"id": "drank", "contexts": ["Its past simple is drank."]}"#);
    world.without_models(&score).assert().success();
}

#[test]
fn input_errors_are_found_before_a_model_is_loaded() {
    let world = World::new();
    world.write("answers.jsonl", r#"{"id": "none", "answer": "x"}"#);
    let score = ["score", "--answers", "answers.jsonl", "--quiet"];
    let message = refusal(&mut world.without_models(&score));
    assert!(message.contains("no row belongs to a question of"), "{message}");
    world.write("answers.jsonl", r#"{"id": "spelling", "answer": "x"}"#);
    let message = refusal(&mut world.without_models(&score));
    assert!(message.contains("--split all"), "{message}");
}

#[test]
fn answers_without_contexts_have_no_class_of_retrieval_and_the_first_row_counts() {
    let world = World::new();
    world.write(
        "answers.jsonl",
        r#"{"id": "participle", "answer": "eaten"}
{"id": "participle", "answer": "Rome"}
{"id": "drank", "answer": "Rome"}
{"id": "ate", "answer": "<think>Perhaps ate.</think> ate", "abstained": false}
"#,
    );
    let summary = scored(&world, &["--judge", "none"]);
    assert_eq!(summary["measures"]["e2e"]["accuracy"]["mean"], 2.0 / 3.0);
    assert_eq!(summary["classes"], serde_json::json!({"unexplained": 1}));
    // A missing row is no refusal.
    assert_eq!(summary["abstention"]["false_answers"], 1, "{}", summary["abstention"]);
    // A system that never cites has no measures of citations.
    let strict = &summary["measures"]["e2e"]["faithfulness_strict"];
    assert_eq!((&strict["n"], &strict["undefined"]), (&0.into(), &3.into()), "{strict}");
}

#[test]
fn refusals_are_recognised_but_not_where_the_answer_is_the_reference() {
    let world = World::new();
    world.write(
        "gold/small.jsonl",
        r#"{"id": "song", "question": "First album?", "evidence": [{"doc": "eat", "quote": "Its past simple is *ate*"}], "answers": ["I don't know"]}
{"id": "absent", "question": "Who?", "unanswerable": true}
{"id": "mine", "question": "Why?", "unanswerable": true}
"#,
    );
    world.write(
        "answers.jsonl",
        "{\"id\": \"song\", \"answer\": \"I don't know\"}\n\
         {\"id\": \"absent\", \"answer\": \"Based on the context, I cannot say.\"}\n\
         {\"id\": \"mine\", \"answer\": \"Beats me.\"}\n",
    );
    let abstention = |world: &World| scored(world, &["--judge", "none"])["abstention"].clone();
    let expected = |false_answers: u32, correct: u32| {
        serde_json::json!({
            "answered": 1, "over_refusals": 0, "false_answers": false_answers,
            "correct_refusals": correct
        })
    };
    assert_eq!(abstention(&world), expected(1, 1));
    world.write(
        "fiel.toml",
        "kb = \"small\"\ngold = \"small\"\n[abstain]\nphrases = [\"Beats me\"]\n",
    );
    assert_eq!(abstention(&world), expected(0, 2));
}
