//! Language models in GGUF files: tokens against known ids, logits against Candle's models and llama.cpp.

mod candle;
mod chat;
mod decoder;
mod llama_cpp;
mod tokenizer;
mod toy;

use std::{path::PathBuf, sync::OnceLock};

use fiel_models::{ModelFiles, ModelStore, ModelStoreOptions};

const SMOLLM2: &str = "smollm2-135m-instruct-q4_1";
const QWEN: &str = "qwen2.5-coder-1.5b-instruct-q4_k_m";

fn user_store(offline: bool) -> ModelStore {
    let options = ModelStoreOptions { offline, quiet: true, ..ModelStoreOptions::from_env() };
    ModelStore::new(options).unwrap()
}

/// The small model, found or downloaded by the user's store.
fn smollm2() -> PathBuf {
    static FILES: OnceLock<ModelFiles> = OnceLock::new();
    let files = FILES.get_or_init(|| user_store(false).ensure(SMOLLM2).unwrap());
    files.gguf().unwrap().to_owned()
}

/// The large model if it is on this machine. Tests do not download its 1.1 GB.
fn qwen() -> Option<PathBuf> {
    let files = user_store(true).ensure(QWEN).ok()?;
    Some(files.gguf().unwrap().to_owned())
}

/// The first of the largest.
fn argmax(logits: &[f32]) -> usize {
    let best = (0..logits.len()).min_by(|&a, &b| logits[b].total_cmp(&logits[a]).then(a.cmp(&b)));
    best.unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
