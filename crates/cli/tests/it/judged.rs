//! `[judge]` and `eval.claim_unit` in a run: prompts, claims split by a model, toxicity.

use fiel_record::{EvalMode, Summary};

use crate::world::{SMOLLM2, World};

fn settings(world: &World, rest: &str) {
    let head = "kb = \"small\"\ngold = \"small\"\n";
    world.write("fiel.toml", &format!("{head}{rest}"));
}

fn evaluated(world: &World) -> Summary {
    serde_json::from_str(&world.stdout(&["eval", "--json", "--quiet"])).unwrap()
}

#[test]
fn faulty_files_of_the_judge_are_named_before_any_work() {
    let world = World::new();
    let eval = ["eval", "--quiet"];
    let prompts = include_str!("../../../eval/prompts/judge/en.toml");
    world.write("judge.toml", &prompts.replace("Claim: {claim}", "Claim:"));
    settings(&world, "[judge]\nprompt = \"judge.toml\"\n");
    let message = world.refusal(&eval);
    assert!(
        message.contains("judge.prompt: judge.toml: support.user: the slot {claim} is missing"),
        "{message}"
    );
    world.write("words.txt", "fool\n?\n");
    settings(&world, "[judge]\ntoxic_words = \"words.txt\"\n");
    let message = world.refusal(&eval);
    assert!(
        message.contains("words.txt: judge.toxic_words: line 2: \"?\" is not a word"),
        "{message}"
    );
    settings(&world, "[judge]\nprompt = \"none\"\n");
    assert!(world.refusal(&eval).contains("judge.prompt: none: No such file"));
    assert!(!world.path(".fiel").exists());
}

#[test]
fn a_model_splits_answers_and_the_report_shows_it() {
    let world = World::new();
    let reader = format!("[read]\nmodel = \"{SMOLLM2}\"\nmax_answer_tokens = 24\n");
    settings(&world, &format!("{reader}[eval]\nclaim_unit = \"llm\"\n"));
    let (first, second) = (evaluated(&world), evaluated(&world));
    assert_eq!(first.manifest.claim_unit, "llm");
    let split = first.split.clone().unwrap();
    assert_eq!(split.model, SMOLLM2);
    assert!(split.sentences > 0 && split.refused <= split.sentences, "{split:?}");
    assert!(split.tokens > 100 * split.sentences, "{split:?}");
    // The cache returns the same split.
    assert_eq!(second.split, first.split);
    assert_eq!(second.records_sha256, first.records_sha256);
    let screen = world.stdout(&["show", "last"]);
    assert!(screen.contains("claim unit: llm"), "{screen}");
    assert!(screen.contains(&format!("claims split by: {SMOLLM2}")), "{screen}");
    settings(&world, &reader);
    let clauses = evaluated(&world);
    assert_eq!(clauses.manifest.claim_unit, "clause");
    assert!(clauses.split.is_none() && clauses.manifest.judge != first.manifest.judge);
}

#[test]
fn claims_are_not_split_by_a_model_without_a_language_model() {
    let world = World::new();
    let unit = "[read]\nmodel = \"extractive\"\n[eval]\nclaim_unit = \"llm\"\n";
    settings(&world, unit);
    let message = world.refusal(&["eval", "--quiet"]);
    assert!(
        message.contains("eval.claim_unit is llm") && message.contains("judge.model"),
        "{message}"
    );
    assert!(!world.path(".fiel").exists());
    settings(&world, &format!("{unit}[judge]\nmodel = \"{SMOLLM2}\"\n"));
    let split = evaluated(&world).split.unwrap();
    assert_eq!(split.model, SMOLLM2);
    settings(&world, "[eval]\nclaim_unit = \"word\"\n");
    let message = world.refusal(&["eval", "--quiet"]);
    assert!(message.contains("`sentence`, `clause`, `llm`"), "{message}");
}

#[test]
fn toxicity_is_measured_on_request_and_needs_no_judge() {
    let world = World::new();
    let reader = "[read]\nmodel = \"extractive\"\n";
    settings(&world, reader);
    let without = evaluated(&world);
    let toxicity = "toxicity".parse().unwrap();
    assert!(!without.measures[&EvalMode::E2e].contains_key(&toxicity));
    // The listed word is in the documents, and so in the answers.
    world.write("words.txt", "eaten\nfool\n");
    let asked = "[judge]\nqualities = [\"toxicity\"]\n";
    settings(&world, &format!("{reader}{asked}"));
    let built_in = evaluated(&world);
    settings(&world, &format!("{reader}{asked}toxic_words = \"words.txt\"\n"));
    let own = evaluated(&world);
    for mode in EvalMode::READING {
        let mean = |summary: &Summary| summary.measures[&mode][&toxicity].mean.mean.unwrap();
        assert_eq!(mean(&built_in), 0.0);
        assert!(mean(&own) > 0.0, "{mode}");
        assert_eq!(own.measures[&mode][&toxicity].mean.n, 3);
    }
    assert!(own.judge.as_ref().unwrap().model.is_none());
    let keys = [&without, &built_in, &own].map(|s| s.manifest.judge.clone());
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);
    let screen = world.stdout(&["show", "last"]);
    let line = screen.lines().find(|l| l.trim_start().starts_with("toxicity"));
    assert!(!line.unwrap().contains("uncalibrated"), "{screen}");
}
