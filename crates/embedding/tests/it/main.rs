//! MiniLM itself: against vectors of another runtime, on texts that broke other programs, and
//! through the cache on disk.

// clippy.toml allows it in test functions only, and helpers are none.
#![allow(clippy::unwrap_used)]

mod cache;
mod reference;
mod texts;
mod tokens;

use std::sync::OnceLock;

use fiel_embedding::{Embedder, Vectors};
use fiel_models::{DeviceChoice, ModelFiles, Store, StoreOptions, select_device};

const MODEL: &str = "all-MiniLM-L6-v2";

/// The files of the model, from wherever the user's store finds them.
fn files() -> ModelFiles {
    let options = StoreOptions {
        quiet: true,
        ..StoreOptions::from_env()
    };
    Store::new(options).unwrap().ensure(MODEL).unwrap()
}

fn load(files: &ModelFiles) -> Embedder {
    let (device, class) = select_device(DeviceChoice::Cpu).unwrap();
    Embedder::load(files, &device, class).unwrap()
}

/// One embedder for all tests.
fn embedder() -> &'static Embedder {
    static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
    EMBEDDER.get_or_init(|| load(&files()))
}

fn embed(texts: &[&str]) -> Vectors {
    embedder().embed(texts, &mut |_| {}).unwrap()
}

/// Largest difference of two vectors in one place.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .fold(0.0, |max, (x, y)| max.max((x - y).abs()))
}
