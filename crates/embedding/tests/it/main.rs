//! MiniLM itself: against vectors of another runtime, on texts that broke other programs, and
//! through the cache on disk. Tiny models of the other kinds against another runtime.

// clippy.toml allows it in test functions only, and helpers are none.
#![allow(clippy::unwrap_used)]

mod cache;
mod cross;
mod kinds;
mod reference;
mod texts;
mod tokens;

use std::path::Path;
use std::sync::OnceLock;

use candle_core::Device;
use fiel_embedding::{Embedder, Vectors};
use fiel_models::{DeviceChoice, DeviceClass, ModelFiles, Store, StoreOptions, select_device};
use tempfile::TempDir;

const MODEL: &str = "all-MiniLM-L6-v2";

/// The files of the model, from wherever the user's store finds them.
fn files() -> ModelFiles {
    let options = StoreOptions {
        quiet: true,
        ..StoreOptions::from_env()
    };
    Store::new(options).unwrap().ensure(MODEL).unwrap()
}

fn cpu() -> (Device, DeviceClass) {
    select_device(DeviceChoice::Cpu).unwrap()
}

/// A model of `data/`, by its folder.
fn tiny(name: &str) -> ModelFiles {
    open(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(name),
    )
}

fn open(folder: &Path) -> ModelFiles {
    // Digests would be remembered in the user's cache folder.
    let cache = tempfile::tempdir().unwrap();
    let options = StoreOptions {
        offline: true,
        cache: cache.path().to_owned(),
        ..StoreOptions::from_env()
    };
    Store::new(options)
        .unwrap()
        .ensure(folder.to_str().unwrap())
        .unwrap()
}

/// The model with one file changed or added.
fn changed(
    name: &str,
    file: &str,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> (TempDir, ModelFiles) {
    let (from, to) = (tiny(name), tempfile::tempdir().unwrap());
    for known in from.names().chain([file]) {
        let target = to.path().join(known);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        if let Ok(source) = from.path(known) {
            std::fs::copy(source, &target).unwrap();
        }
    }
    let target = to.path().join(file);
    let bytes = std::fs::read(&target).unwrap_or_default();
    std::fs::write(&target, change(bytes)).unwrap();
    let files = open(to.path());
    (to, files)
}

fn load(files: &ModelFiles) -> Embedder {
    let (device, class) = cpu();
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
