//! The crates and what they may import.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// From the bottom up: a crate may import only crates that stand before it.
const ORDER: [&str; 16] = [
    "text",
    "store",
    "metrics",
    "corpus",
    "record",
    "gold",
    "runs",
    "models",
    "embedding",
    "retrieval",
    "reader",
    "eval",
    "report",
    "server",
    "labs",
    "cli",
];

/// Crates that compute with models or indexes, of ours and of others.
const ENGINES: [&str; 11] = [
    "fiel-models",
    "fiel-embedding",
    "fiel-retrieval",
    "fiel-reader",
    "candle-core",
    "candle-nn",
    "candle-transformers",
    "tokenizers",
    "tantivy",
    "hnsw_rs",
    "hf-hub",
];

/// What a crate may not import although it stands before it, or is not ours.
fn forbidden(name: &str) -> Vec<&'static str> {
    match name {
        "text" | "store" | "metrics" | "corpus" | "record" | "gold" | "runs" | "report" => {
            ENGINES.to_vec()
        }
        "models" => vec!["fiel-corpus"],
        "labs" => vec!["fiel-server"],
        _ => Vec::new(),
    }
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Names of the dependencies of every crate, those of its tests included.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(crates()).unwrap() {
        let path = entry.unwrap().path();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let package = manifest["package"]["name"].as_str().unwrap();
        assert_eq!(package, format!("fiel-{name}"));
        let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
        let names = tables
            .into_iter()
            .filter_map(|table| manifest.get(table)?.as_table());
        out.insert(
            name,
            names.flat_map(|table| table.keys().cloned()).collect(),
        );
    }
    out
}

#[test]
fn a_crate_imports_only_crates_that_stand_before_it() {
    let place = |name: &str| ORDER.iter().position(|other| *other == name);
    for (name, dependencies) in dependencies() {
        let own = place(&name).unwrap_or_else(|| panic!("crates/{name} is not in the order"));
        for other in dependencies.iter().filter_map(|d| d.strip_prefix("fiel-")) {
            let below = place(other).is_some_and(|place| place < own);
            assert!(below, "crates/{name} may not import fiel-{other}");
        }
        for other in forbidden(&name) {
            let imports = dependencies.iter().any(|d| d == other);
            assert!(!imports, "crates/{name} may not import {other}");
        }
    }
}

/// Measures are computed from values; files and processes are other crates' work.
#[test]
fn the_measures_touch_no_file() {
    let mut folders = vec![crates().join("metrics/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in ["std::fs", "std::io", "std::net", "std::process", "std::env"] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}

/// Features go to the crates that compute, so that one build serves one kind of device.
#[test]
fn the_device_features_reach_candle() {
    for feature in ["cuda", "metal"] {
        let mut reached = vec!["fiel-cli".to_owned()];
        let mut at = 0;
        let mut candle = false;
        while at < reached.len() {
            let folder = reached[at].trim_start_matches("fiel-").to_owned();
            let manifest = std::fs::read_to_string(crates().join(folder).join("Cargo.toml"));
            let manifest: toml::Table = manifest.unwrap().parse().unwrap();
            for name in manifest["features"][feature].as_array().unwrap() {
                let name = name.as_str().unwrap().split('/').next().unwrap();
                candle |= name == "candle-core";
                if name.starts_with("fiel-") {
                    reached.push(name.to_owned());
                }
            }
            at += 1;
        }
        assert!(candle, "{feature} goes only to {reached:?}");
    }
}
