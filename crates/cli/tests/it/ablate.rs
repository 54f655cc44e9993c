//! `fiel ablate`, `fiel explain` and BEIR folders.

use serde_json::Value;

use crate::world::{World, refusal};

fn ablation(world: &World, args: &[&str]) -> Value {
    let args = [&["ablate", "--json", "--quiet"], args].concat();
    serde_json::from_str(&world.stdout(&args)).unwrap()
}

fn names(ablation: &Value) -> Vec<&str> {
    let arms = ablation["arms"].as_array().unwrap();
    arms.iter().map(|arm| arm["name"].as_str().unwrap()).collect()
}

#[test]
fn built_in_variants_are_stored_as_runs() {
    let world = World::new();
    let screen = world.stdout(&["ablate", "--split", "all", "--quiet", "--markdown", "table.md"]);
    for arm in ["vector", "bm25", "hybrid", "hybrid + late", "hybrid + late + typo"] {
        assert!(screen.lines().any(|line| line.starts_with(arm)), "{arm}: {screen}");
    }
    assert!(screen.contains("p corrected by Holm"), "{screen}");
    let table = std::fs::read_to_string(world.path("table.md")).unwrap();
    assert_eq!(table.lines().count(), 2 + 5, "{table}");
    assert_eq!(world.stdout(&["runs", "--json"]).matches("\"note\"").count(), 5);
}

#[test]
fn a_setting_without_effect_is_reported() {
    let world = World::new();
    world.write(
        "fiel.toml",
        "kb = \"small\"\ngold = \"small\"\n[read]\nmodel = \"extractive\"\n\
         [ablate.matrix]\n\"retrieve.rrf_k\" = [60.0, 61]\n\
         [[ablate.arm]]\nname = \"sentences\"\nset = { \"chunk.kind\" = \"sentence\" }\n",
    );
    let table = ablation(&world, &["--split", "all"]);
    assert_eq!(names(&table), ["rrf_k=60.0", "rrf_k=61", "sentences"]);
    assert_eq!(table["arms"][1]["same_as"], "rrf_k=60.0");
    assert!(table["arms"][2]["chunks"].as_u64() > table["arms"][0]["chunks"].as_u64());
}

#[test]
fn variants_with_equal_prompts_share_answers() {
    let world = World::new();
    world.write(
        "fiel.toml",
        "kb = \"small\"\ngold = \"small\"\n\
         [read]\nmodel = \"smollm2-135m-instruct-q4_1\"\nmax_answer_tokens = 4\n\
         [ablate.matrix]\n\"retrieve.rrf_k\" = [60.0, 61.0]\n",
    );
    let table = ablation(&world, &["--modes", "oracle,e2e"]);
    let runs: Value = serde_json::from_str(&world.stdout(&["runs", "--json"])).unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 2);
    let fresh = |at: usize| {
        let run = table["arms"][at]["run"].as_str().unwrap();
        let path = world.path(&format!(".fiel/runs/{run}/summary.json"));
        let summary: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        summary["timing"]["fresh_answers"].as_u64().unwrap()
    };
    assert!(fresh(0) > 0);
    assert_eq!(fresh(1), 0);
}

#[test]
fn invalid_variants_are_refused_before_any_run() {
    let world = World::new();
    let refused = |args: &[&str], word: &str| {
        let message = refusal(&mut world.fiel(args));
        assert!(message.contains(word), "{message}");
    };
    refused(&["ablate", "--arm", "no such"], "unknown variant; expected one of \"vector\"");
    refused(&["ablate", "--measures", "hit@x"], "--measures");
    refused(&["ablate", "--split", "train"], "expected dev, test or all");
    refused(&["ablate", "--rerank", "late2"], "late2");
    world.write("fiel.toml", "[[ablate.arm]]\nname = \"x\"\nset = { \"rerank.depth\" = 0 }\n");
    refused(&["ablate", "--gold", "small", "--kb", "small"], "rerank.depth is 0");
    assert!(!world.path(".fiel/runs").exists());
}

fn beir(world: &World) {
    let corpus = [
        r#"{"_id": "d1", "title": "Rain", "text": "Water that falls from clouds."}"#,
        r#"{"_id": "d2", "title": "Snow", "text": "Ice crystals that fall in winter."}"#,
        r#"{"_id": "d3", "title": "", "text": "Wind is moving air."}"#,
    ];
    world.write("beir/corpus.jsonl", &corpus.join("\n"));
    let queries = [
        r#"{"_id": "q1", "text": "What falls from clouds?"}"#,
        r#"{"_id": "q2", "text": "ice in winter"}"#,
        r#"{"_id": "q3", "text": "moving air"}"#,
    ];
    world.write("beir/queries.jsonl", &queries.join("\n"));
    let head = "query-id\tcorpus-id\tscore\n";
    world.write("beir/qrels/test.tsv", &format!("{head}q1\td1\t2\nq1\td2\t1\nq2\td2\t1\n"));
    world.write("beir/qrels/train.tsv", &format!("{head}q3\td3\t1\nq3\td9\t1\n"));
}

#[test]
fn a_beir_folder_is_evaluated_in_place() {
    let world = World::new();
    beir(&world);
    let args = ["eval", "--beir", "beir", "--json", "--quiet", "--mode", "bm25"];
    let summary: Value = serde_json::from_str(&world.stdout(&args)).unwrap();
    assert_eq!(summary["manifest"]["gold"], "beir/test");
    assert_eq!(summary["manifest"]["chunks"], 3);
    let mean = |measure: &str| summary["measures"]["retrieval"][measure]["mean"].as_f64().unwrap();
    assert_eq!(mean("RR@10"), 1.0);
    // q1: "falls" finds d1 and, stemmed, d2: grades 2 and 1 in the best order.
    assert_eq!((mean("nDCG@10"), mean("R@100")), (1.0, 1.0));

    let train = world.fiel(&["eval", "--beir", "beir", "--split", "train"]).output().unwrap();
    assert!(train.status.success());
    let note = String::from_utf8(train.stderr).unwrap();
    assert!(note.contains("there is no such document"), "{note}");
    let table = ablation(&world, &["--beir", "beir", "--arm", "bm25", "--arm", "hybrid"]);
    assert_eq!(names(&table), ["bm25", "hybrid"]);
    assert_eq!(table["columns"][0], "retrieval.nDCG@10");

    let message = refusal(&mut world.fiel(&["eval", "--beir", "beir", "--split", "dev"]));
    assert!(message.contains("--split takes one of train, test"), "{message}");
    let message = refusal(&mut world.fiel(&["eval", "--beir", "no/such"]));
    assert!(message.contains("no/such"), "{message}");
}

#[test]
fn explain_shows_terms_cosine_and_ranks() {
    let world = World::new();
    let why = world.stdout(&["explain", "past participle of eat", "eat#2"]);
    assert!(why.starts_with("eat#2  rank 1\n"), "{why}");
    for word in ["particip", "cosine 0.", "rank 1 by an exact scan", "(rrf)"] {
        assert!(why.contains(word), "{word}: {why}");
    }
    let all: Value = serde_json::from_str(&world.stdout(&[
        "explain",
        "past simple",
        "drink",
        "--json",
        "--rerank",
        "late",
    ]))
    .unwrap();
    let one = &all[0];
    let sum: f64 =
        one["terms"].as_array().unwrap().iter().map(|t| t["body"].as_f64().unwrap()).sum();
    assert!((sum - one["bm25"].as_f64().unwrap()).abs() < 1e-6, "{one}");
    assert!(one["rerank_rank"].as_u64().is_some(), "{one}");
    let message = refusal(&mut world.fiel(&["explain", "past", "nothing#1"]));
    assert!(message.contains("no such chunk or document"), "{message}");
}

#[test]
fn typos_are_repaired_with_rewrite_typo() {
    let world = World::new();
    let found = world.stdout(&["search", "past partciple of eat", "--rewrite", "typo"]);
    assert!(found.starts_with("searched for: past participle of eat\n"), "{found}");
}
