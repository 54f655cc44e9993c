//! `fiel judge`, and `fiel eval` with a judge.

use crate::world::{SMOLLM2, World, refusal};

const CLAIMS: &str = r#"{"claim": "The limit is 30 days.", "context": "The limit is 90 days.", "label": false}
{"claim": "The limit is 30 days.", "context": ["Returns are free.", "The limit is 30 days."], "label": true}
{"claim": "El mapa no es seguro.", "context": "El mapa es seguro.", "label": "no", "lang": "es"}
{"claim": "Penguins swim well.", "context": "Penguins swim very well.", "label": 1}
"#;

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn bench_compares_scorers_with_overlap() {
    let world = World::new();
    world.write("claims.jsonl", CLAIMS);
    let args = ["judge", "bench", "claims.jsonl", "--scorer", "lexical,grounded", "--json"];
    let report = json(&world.stdout(&args));
    assert_eq!((&report["claims"], &report["supported"]), (&4.into(), &2.into()));
    let rows = report["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|r| r["scorer"].as_str().unwrap()).collect();
    assert_eq!(names, ["overlap", "lexical", "grounded"]);
    assert_eq!(rows[0]["difference"], 0.0);
    assert_eq!((&rows[1]["auroc"], &rows[2]["auroc"]), (&1.0.into(), &1.0.into()));
    let screen = world.stdout(&["judge", "bench", "claims.jsonl", "--scorer", "lexical"]);
    assert!(screen.contains("4 claims, 2 of them supported"), "{screen}");
    assert!(!screen.contains("out of fold"), "{screen}");
}

#[test]
fn bench_refuses_files_that_it_cannot_measure() {
    let world = World::new();
    world.write("claims.jsonl", CLAIMS);
    world.write("faulty.jsonl", "{\"claim\": \"C\", \"label\": true}\n");
    let bench = |rest: &[&str]| world.refusal(&[&["judge", "bench"], rest].concat());
    assert!(bench(&["none.jsonl"]).contains("none.jsonl: No such file"));
    assert!(bench(&["faulty.jsonl"]).contains("line 1: the claim has no `context`"));
    assert!(bench(&["claims.jsonl", "--scorer", "words"]).contains("is not a scorer"));
    world.write("one.jsonl", CLAIMS.lines().nth(1).unwrap());
    let one = bench(&["one.jsonl", "--scorer", "lexical"]);
    assert!(one.contains("one and the same label"), "{one}");
}

#[test]
fn bench_uses_the_judge_of_the_settings() {
    let world = World::new();
    world.write("claims.jsonl", CLAIMS);
    let head =
        "kb = \"small\"\n[read]\nmodel = \"extractive\"\n[judge]\nmodel = \"no-such-judge\"\n";
    world.write("fiel.toml", head);
    let bench = ["judge", "bench", "claims.jsonl", "--scorer", "judge"];
    let message = world.refusal(&bench);
    assert!(message.contains("no-such-judge"), "{message}");
    let other = world.refusal(&[&bench[..], &["--model", "another"]].concat());
    assert!(other.contains("another") && !other.contains("no-such-judge"), "{other}");
}

/// The small model does not notice a changed number.
#[test]
fn a_judge_that_fails_the_self_test_is_rejected() {
    let world = World::new();
    world.write(
        "fiel.toml",
        &format!("kb = \"small\"\ngold = \"small\"\n[read]\nmodel = \"extractive\"\n[judge]\nmethod = \"llm\"\nmodel = \"{SMOLLM2}\"\n"),
    );
    let message = refusal(&mut world.fiel(&["eval", "--quiet"]));
    assert!(message.contains(&format!("the judge `{SMOLLM2}` fails the self-test")), "{message}");
    assert!(message.contains("of 14 pairs wrong") && message.contains("got score"), "{message}");
    assert!(world.runs().is_empty());
}

#[test]
fn labels_are_collected_without_scores_and_calibrate_the_scorers() {
    let world = World::new();
    let first = json(&world.stdout(&["eval", "--json", "--quiet", "--split", "all"]));
    let e2e = &first["measures"]["e2e"];
    let (grounding, hallucination) = (&e2e["grounding"], &e2e["hallucination"]);
    let sum = grounding["mean"].as_f64().unwrap() + hallucination["mean"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-9, "{e2e}");
    assert!(e2e["hallucination_rate"]["n"].as_u64().unwrap() > 0);
    assert_eq!(first["judge"]["scorer"], "grounded");
    let why = first["judge"]["uncalibrated"].as_str().unwrap();
    assert!(why.contains("no person labelled"), "{why}");
    let screen = world.stdout(&["show", "last"]);
    assert!(screen.contains("scorer of grounding and hallucination: grounded"), "{screen}");
    assert!(screen.contains("uncalibrated: no person"), "{screen}");

    let mut label = world.fiel(&["judge", "label", "last", "-n", "9"]);
    let output = label.write_stdin("what?\ny\ns\ny\nq\n").assert().success();
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(shown.contains("claim: ") && !shown.contains("0."), "{shown}");
    let file = std::fs::read_to_string(world.path("gold/small.labels.jsonl")).unwrap();
    assert_eq!(file.lines().count(), 2, "{file}");
    let line = json(file.lines().next().unwrap());
    assert_eq!(line["label"], true);
    assert!(line["scores"]["grounded"].is_number() && line["scores"]["lexical"].is_number());

    // Labelled claims are not asked again; all labels agree with the scorers.
    let mut label = world.fiel(&["judge", "label", "last", "--quiet"]);
    label.write_stdin("y\n".repeat(99)).assert().success();
    let again = world.refusal(&["judge", "label", "last"]);
    assert!(again.contains("no unlabelled claims"), "{again}");
    let calibration = json(&world.stdout(&["judge", "calibrate", "--json"]));
    let scorers = calibration["scorers"].as_array().unwrap();
    assert_eq!(scorers[0]["scorer"], "grounded");
    assert_eq!(scorers[0]["agreement"]["base_rate"], 1.0);
    let screen = world.stdout(&["judge", "calibrate"]);
    assert!(screen.contains("agreement") && screen.contains("base rate"), "{screen}");
    // The file of labels is not a gold set.
    let names = world.refusal(&["eval", "--gold", "none"]);
    assert!(names.contains("There are: small"), "{names}");
}

#[test]
fn calibrate_without_labels_says_how_to_create_them() {
    let message = World::new().refusal(&["judge", "calibrate"]);
    assert!(message.contains("fiel judge label RUN"), "{message}");
}
