//! MiniLM and tiny models of the other architectures against vectors of other runtimes, on
//! difficult texts, and through the cache on disk.

// clippy.toml allows `unwrap` only in test functions, not in their helpers.
#![allow(clippy::unwrap_used)]

mod cache;
mod cross;
mod kinds;
mod reference;
mod texts;
mod tokens;

use std::{path::Path, sync::OnceLock};

use candle_core::Device;
use fiel_embedding::{Embedder, Vectors};
use fiel_models::{
    DeviceChoice, DeviceClass, ModelFiles, ModelStore, ModelStoreOptions, select_device,
};
use tempfile::TempDir;

const MODEL: &str = "all-MiniLM-L6-v2";

/// The files of MiniLM, found or fetched by the user's store.
fn files() -> ModelFiles {
    let options = ModelStoreOptions { quiet: true, ..ModelStoreOptions::from_env() };
    ModelStore::new(options).unwrap().ensure(MODEL).unwrap()
}

fn cpu() -> (Device, DeviceClass) {
    select_device(DeviceChoice::Cpu).unwrap()
}

/// A model in a folder of `data/`.
fn tiny(name: &str) -> ModelFiles {
    open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name))
}

fn open(folder: &Path) -> ModelFiles {
    // Keeps the digests out of the user's cache folder.
    let cache = tempfile::tempdir().unwrap();
    let options = ModelStoreOptions {
        offline: true,
        cache: cache.path().to_owned(),
        ..ModelStoreOptions::from_env()
    };
    ModelStore::new(options).unwrap().ensure(folder.to_str().unwrap()).unwrap()
}

/// A copy of a model of `data/` with one file changed or added.
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

/// MiniLM, loaded once.
fn embedder() -> &'static Embedder {
    static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
    EMBEDDER.get_or_init(|| load(&files()))
}

fn embed(texts: &[&str]) -> Vectors {
    embedder().embed(texts, &mut |_| {}).unwrap()
}

/// The largest absolute difference of two components.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |max, (x, y)| max.max((x - y).abs()))
}
