//! Differences between the manifests of two runs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::Manifest;

/// An entry of the manifest that differs between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// Its key in the manifest; for a setting its key in fiel.toml.
    pub what: String,
    /// Value in A; null if A lacks the entry.
    pub a: Option<String>,
    /// Value in B.
    pub b: Option<String>,
}

/// The differences between two manifests, without the digests that only repeat them.
pub fn differences(a: &Manifest, b: &Manifest) -> Vec<Difference> {
    let (a, b) = (flat(a), flat(b));
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names
        .into_iter()
        .filter(|name| a.get(*name) != b.get(*name))
        .map(|name| Difference {
            what: name.clone(),
            a: a.get(name).cloned(),
            b: b.get(name).cloned(),
        })
        .collect()
}

/// The differences on one line: `retrieve.mode hybrid → bm25, read.context_k 3 → 5`.
pub fn one_line_of(differences: &[Difference]) -> String {
    let value = |v: &Option<String>| match v {
        // The first digits of a digest are enough to distinguish it.
        Some(v) if v.len() == 64 && v.bytes().all(|b| b.is_ascii_hexdigit()) => v[..12].to_owned(),
        Some(v) if v.is_empty() => "none".to_owned(),
        Some(v) => v.clone(),
        None => "none".to_owned(),
    };
    let parts = differences.iter().map(|d| format!("{} {} → {}", d.what, value(&d.a), value(&d.b)));
    parts.collect::<Vec<_>>().join(", ")
}

/// The values of a manifest by dotted key.
fn flat(manifest: &Manifest) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    if let Ok(Json::Object(fields)) = serde_json::to_value(manifest) {
        for (name, value) in fields {
            match name.as_str() {
                "key" | "settings_sha256" => {}
                "settings" => walk("", &value, &mut out),
                _ => walk(&name, &value, &mut out),
            }
        }
    }
    out
}

fn walk(name: &str, value: &Json, out: &mut BTreeMap<String, String>) {
    match value {
        Json::Object(fields) => {
            for (key, value) in fields {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                walk(&name, value, out);
            }
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            out.insert(name.to_owned(), items.join(" "));
        }
        value => {
            out.insert(name.to_owned(), plain(value));
        }
    }
}

fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;
    use crate::EvalMode;

    pub(crate) fn manifest(settings: Json) -> Manifest {
        Manifest {
            left_out: Vec::new(),
            key: "k".into(),
            version: "0".into(),
            kb: "verbs".into(),
            kb_sha256: "a".repeat(64),
            gold: "verbs".into(),
            gold_sha256: "b".repeat(64),
            questions: "test".into(),
            modes: vec![EvalMode::Retrieval, EvalMode::E2e],
            distractors: 0,
            documents: 1,
            chunks: 1,
            chunks_sha256: String::new(),
            index_sha256: String::new(),
            embedder: "e".into(),
            embedder_sha256: String::new(),
            judge: None,
            reranker: None,
            reader: None,
            reader_sha256: None,
            prompts_sha256: None,
            system: None,
            device_class: "cpu".into(),
            claim_unit: "sentence".into(),
            settings_sha256: settings.to_string(),
            settings,
        }
    }

    #[test]
    fn settings_are_named_as_in_the_settings_file() {
        let a = manifest(json!({"retrieve": {"mode": "hybrid", "top_k": 10}}));
        let mut b = manifest(json!({"retrieve": {"mode": "bm25", "top_k": 10}}));
        b.kb_sha256 = "c".repeat(64);
        b.modes.pop();
        b.reader = Some("r".into());
        let line = one_line_of(&differences(&a, &b));
        assert_eq!(
            line,
            "kb_sha256 aaaaaaaaaaaa → cccccccccccc, modes retrieval e2e → retrieval, \
             reader none → r, retrieve.mode hybrid → bm25"
        );
        assert_eq!(differences(&a, &a), []);
    }
}
