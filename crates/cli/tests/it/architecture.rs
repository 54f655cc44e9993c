//! The crates and what they may import.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

/// Bottom up: a crate may import only crates before it.
const ORDER: [&str; 14] = [
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
    "cli",
];

/// Crates that compute with models or indexes.
const ENGINES: [&str; 10] = [
    "fiel-models",
    "fiel-embedding",
    "fiel-retrieval",
    "fiel-reader",
    "candle-core",
    "candle-nn",
    "tokenizers",
    "tantivy",
    "hnsw_rs",
    "hf-hub",
];

/// Further crates that a crate may not import.
fn forbidden(name: &str) -> Vec<&'static str> {
    match name {
        "text" | "store" | "metrics" | "corpus" | "record" | "gold" | "runs" | "report" => {
            ENGINES.to_vec()
        }
        "models" => vec!["fiel-corpus"],
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
        let names = tables.into_iter().filter_map(|table| manifest.get(table)?.as_table());
        out.insert(name, names.flat_map(|table| table.keys().cloned()).collect());
    }
    out
}

#[test]
fn a_crate_imports_only_crates_before_it() {
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

/// A dependency that only tests need can turn on features of a shared one. The program and its tests
/// would then each build Candle and Tantivy.
#[test]
fn the_tests_share_the_dependencies_of_the_program() {
    let packages = |edges: &str| -> BTreeSet<String> {
        let format = ["--prefix", "none", "--no-dedupe", "--format", "{p} {f}"];
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--workspace", "--edges", edges])
            .args(format)
            .current_dir(crates())
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        String::from_utf8(tree.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    let (program, tests) = (packages("normal,build"), packages("normal,build,dev"));
    let changed: Vec<&String> = program.difference(&tests).collect();
    assert!(changed.is_empty(), "built with other features for the tests: {changed:#?}");
}

/// Measures are computed from values, without files or processes.
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

/// The modules of crates/cli/src with the modules that they name in `use` lines or paths.
fn modules(root: &Path) -> BTreeMap<String, Vec<String>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().with_extension("");
            let name = name.to_str().unwrap().replace('/', "::");
            let name = name.trim_end_matches("::mod").to_owned();
            files.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    let names: Vec<String> = files.keys().cloned().collect();
    let imports = |(name, text): (&String, &String)| {
        let parent = name.rsplit_once("::").map_or("", |(parent, _)| parent);
        let mut found = Vec::new();
        for (word, base) in [("crate::", ""), ("super::", parent), ("self::", name)] {
            for (at, _) in text.match_indices(word) {
                paths(&text[at + word.len()..], base, &mut found);
            }
        }
        // The longest module that a path begins with is the file that it names.
        let file = |path: &String| {
            let begins = |name: &&String| {
                path.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            let longest = names.iter().filter(begins).max_by_key(|name| name.len());
            longest.filter(|other| *other != name).cloned()
        };
        (name.clone(), found.iter().filter_map(file).collect())
    };
    files.iter().map(imports).collect()
}

/// The paths that a `use` tree begins with, below `base`.
fn paths(tree: &str, base: &str, found: &mut Vec<String>) {
    let join = |part: &str| match base {
        "" => part.to_owned(),
        _ => format!("{base}::{part}"),
    };
    if !tree.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '{') {
        return;
    }
    let end = tree.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let head = &tree[..end.unwrap_or(tree.len())];
    let path = join(head.trim_end_matches(':'));
    let Some(group) =
        tree[head.len()..].strip_prefix('{').filter(|_| head.is_empty() || head.ends_with("::"))
    else {
        found.push(path);
        return;
    };
    let base = if head.is_empty() { base.to_owned() } else { path };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                paths(group[start..at].trim_start(), &base, found);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
}

#[test]
fn modules_of_the_command_line_do_not_import_in_a_cycle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules = modules(&root);
    // The reader of `use` lines works. `mod` lines are not imports.
    assert!(modules["cli"].contains(&"commands::eval".to_owned()), "{modules:?}");
    assert!(modules["commands::eval"].contains(&"settings".to_owned()), "{modules:?}");
    // Removes the files that import no remaining file until none is left.
    loop {
        let free: Vec<String> = modules
            .iter()
            .filter(|(_, imports)| imports.iter().all(|other| !modules.contains_key(other)))
            .map(|(name, _)| name.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        modules.retain(|name, _| !free.contains(name));
    }
    assert!(modules.is_empty(), "files in or above a circle: {:?}", modules.keys());
}
