//! Commands over stored runs: runs, show, compare, gate, bless, export.

use fiel_record::EvalMode;
use serde_json::Value;

use crate::world::World;

/// Ids of a hybrid run and of a BM25 run that reads one passage less.
fn two_runs(world: &World) -> (String, String) {
    let all = ["eval", "--split", "all"];
    world.stdout(&[&all[..], &["--note", "first"]].concat());
    world.stdout(&[&all[..], &["--mode", "bm25", "--context-k", "1"]].concat());
    let runs = world.runs();
    (runs[0].id.clone(), runs[1].id.clone())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn runs_are_listed_newest_last_with_their_notes() {
    let world = World::new();
    assert!(world.stdout(&["runs"]).contains("no runs yet"));
    let (first, second) = two_runs(&world);
    let listed = world.stdout(&["runs"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].contains("MRR@10") && lines[0].contains("e2e.F1"), "{listed}");
    assert!(lines[1].starts_with(&first) && lines[1].ends_with("first"), "{listed}");
    assert!(lines[2].starts_with(&second), "{listed}");
    let rows = json(&world.stdout(&["runs", "--last", "1", "--json"]));
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["run"], second);
    assert!(rows[0]["means"]["retrieval.hit@5"].is_number());
}

#[test]
fn a_question_is_shown_with_hits_prompt_answer_and_claims() {
    let world = World::new();
    two_runs(&world);
    let first = &world.runs()[0].id;
    let shown = world.stdout(&["show", first, "parti"]);
    for part in [
        "What's the past participle of eat?",
        "expected: eaten",
        "✓  1. eat#2",
        "bm25 1 (",
        "dense 1 (",
        "contains evidence 1",
        "The past participle of eat is eaten",
        "context: [1] eat#2",
        "answer:",
        "claim:",
    ] {
        assert!(shown.contains(part), "`{part}` in:\n{shown}");
    }
    assert!(world.stdout(&["show", "last"]).contains("End to end"));
    let tags = world.stdout(&["show", "last", "--tags"]);
    assert!(tags.contains("style:docs") && tags.contains("fewer than 10"), "{tags}");
    assert!(world.refusal(&["show", "last", "none"]).contains("no question `none`"));
    assert!(world.refusal(&["show", "9999"]).contains("no run `9999`"));
    world.write("kb/small/eat.md", "# Eat\n\nAnother text.\n");
    let shown = world.stdout(&["show", first, "participle"]);
    assert!(shown.contains("was changed since the run"), "{shown}");
}

#[test]
fn runs_are_compared_and_incomparable_runs_refused() {
    let world = World::new();
    let (first, second) = two_runs(&world);
    let screen = world.stdout(&["compare", &first, &second]);
    assert!(screen.contains("retrieve.mode hybrid → bm25"), "{screen}");
    assert!(screen.contains("read.context_k 2 → 1"), "{screen}");
    let narrow = ["compare", &first, &second, "--measures", "e2e.F1,hit@5", "--json"];
    let comparison = json(&world.stdout(&narrow));
    let rows = comparison["rows"].as_array().unwrap();
    let columns: Vec<&str> = rows.iter().map(|r| r["column"].as_str().unwrap()).collect();
    assert_eq!(columns, ["retrieval.hit@5", "e2e.F1"]);
    assert_eq!(rows[0]["n"], 4);

    let same = world.stdout(&["compare", &first, &first]);
    assert!(same.contains("identical, record by record"), "{same}");
    world.write("kb/small/more.md", "# More\n\nA document.\n");
    world.stdout(&["eval", "--split", "all"]);
    let refused = world.refusal(&["compare", &first, "last"]);
    assert!(refused.contains("same knowledge base"), "{refused}");
    let forced = world.stdout(&["compare", &first, "last", "--force"]);
    assert!(forced.contains("different knowledge base"), "{forced}");
    assert!(world.refusal(&["compare", &first, "last", "--measures", "F2"]).contains("F2"));
}

#[test]
fn the_gate_fails_on_a_regression_and_bless_moves_the_baseline() {
    let world = World::new();
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 0.5\n");
    let retrieval = ["eval", "--modes", "retrieval", "--split", "all"];
    world.stdout(&retrieval);
    let passed = world.stdout(&["gate"]);
    assert!(passed.contains("gate passed") && passed.contains("no baseline"), "{passed}");
    let blessed = world.stdout(&["bless"]);
    assert!(blessed.contains("baseline.csv: 5 questions of run"), "{blessed}");
    world.stdout(&["gate"]);

    // The knowledge base changes, so the old baseline does not apply.
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 1.0\n\"e2e.F1\" = 0.5\n");
    world.write(
        "kb/small/eat.md",
        "# Eat\n\nIts past simple is *ate*.\n\nThe past participle of *eat* is *eaten*.\n",
    );
    world.stdout(&retrieval);
    let refused = world.refusal(&["gate"]);
    assert!(refused.contains("another knowledge base"), "{refused}");
    // Enough questions that a loss of all of them is no chance.
    let copies = |n: usize| {
        let renamed = move |line: &str| line.replacen("\"id\": \"", &format!("\"id\": \"{n}-"), 1);
        crate::world::GOLD.lines().map(move |line| renamed(line) + "\n")
    };
    let many: String = (0..4).flat_map(copies).collect();
    world.write("gold/small.jsonl", &many);
    world.stdout(&retrieval);
    world.stdout(&["bless"]);

    // A significant regression: no question finds its evidence.
    let lost: String = many
        .lines()
        .map(|line| {
            let question = line.find("\"question\": \"").unwrap() + 13;
            let end = question + line[question..].find('"').unwrap();
            format!("{}zzz{}\n", &line[..question], &line[end..])
        })
        .collect();
    world.write("gold/small.jsonl", &lost);
    world.stdout(&[&retrieval[..], &["--mode", "bm25"]].concat());
    let files = ["--junit", "out/gate.xml", "--markdown", "out/gate.md"];
    let output = world.fiel(&[&["gate", "--force"][..], &files].concat()).assert().code(1);
    let screen = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(screen.contains("MISSED retrieval.hit@5 at least 1.00: 0.000"), "{screen}");
    assert!(screen.contains("REGRESSION retrieval.hit@5"), "{screen}");
    assert!(screen.contains("0-participle 1 → 0"), "{screen}");
    let read = |name: &str| std::fs::read_to_string(world.path(name)).unwrap();
    assert!(read("out/gate.xml").contains("<failure message="));
    assert!(read("out/gate.md").contains("## Fiel gate failed: small"));
    let blessed = world.stdout(&["bless"]);
    assert!(blessed.contains("retrieval.hit@5: 1.000 → 0.000"), "{blessed}");
    assert!(blessed.contains("16 changed: "), "{blessed}");
}

#[test]
fn an_exported_run_scores_the_same() {
    let world = World::new();
    world.stdout(&["eval", "--split", "all", "--modes", "retrieval"]);
    let before = world.runs().pop().unwrap().summary().unwrap();
    world.stdout(&["export", "last", "--trec", "out", "--csv", "out/q.csv"]);
    let csv = std::fs::read_to_string(world.path("out/q.csv")).unwrap();
    assert!(csv.starts_with("id,question,"), "{csv}");
    assert_eq!(csv.lines().count(), 6);

    let names: Vec<String> =
        before.measures[&EvalMode::Retrieval].keys().map(ToString::to_string).collect();
    let score = ["score", "--qrels", "out/qrels.trec", "--run", "out/run.trec", "--measures"];
    let after = world.stdout(&[&score[..], &[&names.join(","), "--json"]].concat());
    let after = json(&after);
    for (measure, estimate) in &before.measures[&EvalMode::Retrieval] {
        let mean = after["measures"]["retrieval"][measure.to_string()]["mean"].as_f64();
        assert_eq!(mean, estimate.mean.mean, "{measure}");
    }
    // The result is stored as a run.
    assert!(world.stdout(&["runs"]).contains("qrels.trec"));
    assert!(world.refusal(&["export", "last"]).contains("--trec"));
}

#[test]
fn another_system_is_scored_by_the_texts_of_its_contexts() {
    let world = World::new();
    world.write(
        "out.jsonl",
        r#"{"id": "participle", "contexts": ["Tea.", "The past participle of eat is eaten (Spanish: comido)."], "answer": "eaten [2]"}
{"user_input": "What is the past simple of drink?", "retrieved_contexts": ["Its past simple is drank."], "response": "It is swum.", "reference": "drank"}
{"id": "absent", "contexts": [], "answer": "I don't know."}
{"id": "nobody", "contexts": [], "answer": "x"}
"#,
    );
    let output = world.fiel(&["score", "--answers", "out.jsonl", "--json"]).assert().success();
    let output = output.get_output();
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    for part in ["4 rows: 3 scored", "line 4, nobody", "1 questions without a row", "ate"] {
        assert!(stderr.contains(part), "`{part}` in {stderr}");
    }
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mean = |mode: &str, measure: &str| summary["measures"][mode][measure].clone();
    let third = mean("retrieval", "hit@1");
    assert_eq!((third["n"].as_u64(), third["failed"].as_u64()), (Some(3), Some(1)));
    assert!((third["mean"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert!((mean("retrieval", "RR@10")["mean"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert!((mean("e2e", "EM")["mean"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(summary["abstention"]["correct_refusals"], 1);
    let shown = world.stdout(&["show", "last", "participle"]);
    assert!(shown.contains("✓  2. context#2") && shown.contains("right"), "{shown}");

    // Compared with a run of Fiel on the same questions.
    world.stdout(&["eval", "--modes", "retrieval,e2e"]);
    let runs = world.runs();
    let compared = world.stdout(&["compare", &runs[0].id, &runs[1].id]);
    assert!(compared.contains("system out.jsonl → none"), "{compared}");
    world.write("bad.jsonl", "{}\nx\n");
    let refused = world.refusal(&["score", "--answers", "bad.jsonl"]);
    assert!(refused.contains("line 1") && refused.contains("line 2"), "{refused}");
}
