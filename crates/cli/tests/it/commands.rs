//! `search`, `ask`, `index`, `models`, `doctor` and `clean`.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use fiel_models::{ModelStore, ModelStoreOptions};
use tempfile::TempDir;

use crate::world::{SMOLLM2, World, refusal};

/// A folder for `FIEL_MODELS` with only the embedder.
pub fn embedder_folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let id = "all-MiniLM-L6-v2";
    let folder = FOLDER.get_or_init(|| {
        let options = ModelStoreOptions { quiet: true, ..ModelStoreOptions::from_env() };
        let files = ModelStore::new(options).unwrap().ensure(id).unwrap();
        // Cargo keeps this folder for the next run of the tests.
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("embedder");
        std::fs::create_dir_all(folder.join(id)).unwrap();
        for name in files.names() {
            let to = folder.join(id).join(name);
            if !to.exists() {
                std::fs::copy(files.path(name).unwrap(), to).unwrap();
            }
        }
        folder
    });
    folder.clone()
}

#[test]
fn search_shows_passages_with_the_ranks_of_each_leg() {
    let world = World::new();
    let found = world.stdout(&["search", "past participle of eat", "-k", "3"]);
    let first = found.lines().next().unwrap();
    assert!(first.contains("1. eat#2") && first.contains("score 0.0328"), "{first}");
    assert!(first.contains("bm25 1 (") && first.contains("dense 1 ("), "{first}");
    assert!(found.contains("eaten"), "{found}");
    assert_eq!(found.matches("score ").count(), 3);

    let bm25 = world.stdout(&["search", "comido", "--mode", "bm25"]);
    assert!(bm25.contains("eat#2") && bm25.contains("dense -"), "{bm25}");
    assert_eq!(world.stdout(&["search", "zzz", "--mode", "bm25"]), "nothing found\n");
}

#[test]
fn ask_gives_the_answer_its_citation_and_the_passages() {
    let world = World::new();
    let answer = world.stdout(&["ask", "What's the past participle of eat?"]);
    let first = answer.lines().next().unwrap();
    assert!(first.contains("eaten") && first.ends_with("[1]"), "{answer}");
    assert!(answer.contains("* [1] eat#2"), "{answer}");
    assert!(answer.contains("  [2] "), "{answer}");
}

#[test]
fn index_embeds_only_what_was_edited() {
    let world = World::new();
    assert!(world.stdout(&["index"]).contains("4 chunks, 4 embedded now and 0 from the cache"));
    world.write("kb/small/make.md", "# Spelling\n\nA final *e* goes: *making*.\n");
    assert!(world.stdout(&["index"]).contains("4 chunks, 1 embedded now and 3 from the cache"));
}

#[test]
fn models_are_listed_with_size_licence_and_place() {
    let world = World::new();
    let list = world.stdout(&["models", "list"]);
    for part in [
        "all-MiniLM-L6-v2",
        "qwen2.5-coder",
        SMOLLM2,
        "1.12 GB",
        "Apache-2.0",
        "reranking",
        "missing; the first fetch is trusted",
    ] {
        assert!(list.contains(part), "{part} in {list}");
    }
    let output = world.without_models(&["models", "list"]).assert().success();
    let none = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(none.matches("missing").count(), 5, "{none}");
}

#[test]
fn verify_hashes_again_and_refuses_a_damaged_file() {
    let world = World::new();
    world.stdout(&["models", "fetch", SMOLLM2]);
    let verified = world.stdout(&["models", "verify", SMOLLM2]);
    assert!(verified.contains("all files have the right SHA-256"), "{verified}");

    let damaged = TempDir::new().unwrap();
    let folder = damaged.path().join("all-MiniLM-L6-v2");
    std::fs::create_dir(&folder).unwrap();
    for entry in std::fs::read_dir(embedder_folder().join("all-MiniLM-L6-v2")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let config = folder.join("config.json");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("384", "383")).unwrap();
    let mut verify = world.without_models(&["models", "verify", "all-MiniLM-L6-v2"]);
    verify.env("FIEL_MODELS", damaged.path());
    let message = refusal(&mut verify);
    assert!(message.contains("config.json"), "{message}");

    let unknown = world.refusal(&["models", "verify", "no-such-model"]);
    assert!(unknown.contains("no-such-model") && unknown.contains(SMOLLM2), "{unknown}");
}

#[test]
fn a_folder_can_be_the_embedder_and_missing_files_are_named() {
    let world = World::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../embedding/tests/data/xlmr");
    std::fs::create_dir(world.path("encoder")).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(data.join(name), world.path("encoder").join(name)).unwrap();
    }
    let settings = "kb = \"small\"\ngold = \"small\"\n[embed]\nmodel = \"encoder\"\n\
                    [read]\nmodel = \"extractive\"\ncontext_k = 2\n";
    world.write("fiel.toml", settings);
    assert!(world.stdout(&["search", "past of eat"]).contains("eat#"));
    let report = world.stdout(&["doctor"]);
    assert!(report.contains("model encoder: as found"), "{report}");
    let verified = world.stdout(&["models", "verify", "encoder"]);
    assert!(verified.contains("no SHA-256 to compare"), "{verified}");

    std::fs::remove_file(world.path("encoder/tokenizer.json")).unwrap();
    let message = world.refusal(&["search", "past of eat"]);
    assert!(message.contains("lacks tokenizer.json;"), "{message}");
    let report = world.stdout(&["doctor"]);
    assert!(report.contains("MISSING") && report.contains("lacks tokenizer.json"), "{report}");
}

#[test]
fn doctor_reports_present_and_missing_parts() {
    let world = World::new();
    world.stdout(&["models", "fetch", "all-MiniLM-L6-v2"]);
    let report = world.stdout(&["doctor"]);
    for part in ["device: cpu", "3 documents", "5 questions", "embeddings 0 B"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(!report.contains("MISSING"), "{report}");

    world.write("gold/small.jsonl", "{}");
    let output = world.without_models(&["doctor"]).assert().success();
    let report = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let missing: Vec<&str> = report.lines().filter(|l| l.starts_with("MISSING")).collect();
    assert_eq!(missing.len(), 2, "{report}");
    assert!(missing[0].contains("fiel models fetch all-MiniLM-L6-v2"), "{report}");
    assert!(missing[1].contains("gold set small"), "{report}");
}

#[test]
fn clean_shows_sizes_and_keeps_runs_by_default() {
    let world = World::new();
    assert_eq!(world.stdout(&["clean"]), "nothing to clean\n");
    world.stdout(&["eval", "--modes", "retrieval"]);
    // Graphs of `retrieve.dense = "hnsw"`.
    std::fs::create_dir_all(world.path(".fiel/graphs")).unwrap();
    std::fs::write(world.path(".fiel/graphs/a.seal"), "seal").unwrap();
    assert!(world.stdout(&["doctor"]).contains("graphs 4 B"));
    let dry = world.stdout(&["clean", "--dry-run"]);
    assert!(
        dry.contains(".fiel/embeddings") && dry.contains(".fiel/graphs") && dry.contains(" kB"),
        "{dry}"
    );
    assert!(world.path(".fiel/embeddings").exists());

    let cleaned = world.stdout(&["clean"]);
    assert!(cleaned.contains("deleted") && cleaned.contains("--runs"), "{cleaned}");
    assert!(!world.path(".fiel/embeddings").exists());
    assert!(!world.path(".fiel/graphs").exists());
    assert_eq!(world.runs().len(), 1);

    world.stdout(&["clean", "--runs"]);
    assert!(world.runs().is_empty());
}
