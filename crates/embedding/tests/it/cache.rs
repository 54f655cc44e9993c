//! The cache on disk: which texts it embeds again, and damaged files.

use std::path::{Path, PathBuf};

use fiel_embedding::{Embedder, EmbeddingCache};
use fiel_models::{ModelFiles, ModelStore, ModelStoreOptions, Registry};
use fiel_store::sha256_hex;
use tempfile::TempDir;

use crate::{distance, embed, embedder, files, load};

const TEXTS: [&str; 4] = ["eat, ate, eaten", "go, went, gone", "tea", "to be"];

/// Opens the cache and embeds through it. Returns the vectors and how many were computed.
fn through(dir: &Path, embedder: &Embedder, texts: &[&str]) -> (Vec<Vec<f32>>, usize) {
    let mut cache = EmbeddingCache::open(dir, embedder);
    let (vectors, made) = cache.embed(embedder, texts, &mut |_, _| {}).unwrap();
    (vectors.rows().map(<[f32]>::to_vec).collect(), made)
}

fn only_file(dir: &Path) -> PathBuf {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "bin"));
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

#[test]
fn editing_one_text_embeds_only_that_one() {
    let dir = tempfile::tempdir().unwrap();
    let (first, made) = through(dir.path(), embedder(), &TEXTS);
    assert_eq!(made, 4);
    for (row, fresh) in first.iter().zip(embed(&TEXTS).rows()) {
        assert!(distance(row, fresh) == 0.0);
    }
    let (second, made) = through(dir.path(), embedder(), &TEXTS);
    assert_eq!(made, 0);
    assert_eq!(first, second);

    let mut edited = TEXTS;
    edited[1] = "go, went, has gone";
    let (third, made) = through(dir.path(), embedder(), &edited);
    assert_eq!(made, 1);
    assert_eq!((&third[0], &third[2]), (&first[0], &first[2]));
    assert_ne!(third[1], first[1]);
    // The old text is still cached.
    assert_eq!(through(dir.path(), embedder(), &TEXTS), (first, 0));
}

#[test]
fn a_repeated_text_is_embedded_once() {
    let dir = tempfile::tempdir().unwrap();
    let (rows, made) = through(dir.path(), embedder(), &["tea", "verb", "tea"]);
    assert_eq!(made, 2);
    assert_eq!(rows[0], rows[2]);
}

#[test]
fn a_damaged_cache_is_rebuilt() {
    let dir = tempfile::tempdir().unwrap();
    let (rows, _) = through(dir.path(), embedder(), &["tea"]);
    let path = only_file(dir.path());
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for damaged in [&whole[..whole.len() - 7], &flipped, b"not a cache at all"] {
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(through(dir.path(), embedder(), &["tea"]), (rows.clone(), 1));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_folder_that_cannot_be_written_costs_only_the_cache() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(through(&file, embedder(), &["tea"]).1, 1);
    assert_eq!(through(&file, embedder(), &["tea"]).1, 1);
}

#[test]
fn two_caches_of_one_folder_keep_what_both_embed() {
    let dir = tempfile::tempdir().unwrap();
    let mut caches = [0, 1].map(|_| EmbeddingCache::open(dir.path(), embedder()));
    for (cache, text) in caches.iter_mut().zip(["tea", "verb"]) {
        assert_eq!(cache.embed(embedder(), &[text], &mut |_, _| {}).unwrap().1, 1);
    }
    assert_eq!(through(dir.path(), embedder(), &["tea", "verb"]).1, 0);
}

#[test]
fn a_vector_does_not_depend_on_the_other_texts() {
    let together = embed(&TEXTS);
    for (text, row) in TEXTS.iter().zip(together.rows()) {
        assert_eq!(embed(&[text]).row(0), row, "{text}");
    }
}

/// MiniLM with a byte appended to its configuration, which gives it another key.
fn other_model(dir: &TempDir) -> ModelFiles {
    let original = files();
    let folder = dir.path().join("other");
    std::fs::create_dir(&folder).unwrap();
    let mut registry = "version = 1\n[[model]]\nid = \"other\"\ntask = \"embedding\"\n\
                        licence = \"Apache-2.0\"\n"
        .to_owned();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let (from, to) = (original.path(name).unwrap(), folder.join(name));
        let mut sha256 = original.sha256(name).unwrap().to_owned();
        if name == "config.json" {
            let mut bytes = std::fs::read(from).unwrap();
            bytes.push(b'\n');
            std::fs::write(&to, &bytes).unwrap();
            sha256 = sha256_hex(&bytes);
        } else if std::fs::hard_link(from, &to).is_err() {
            // Hard links do not cross file systems.
            std::fs::copy(from, &to).unwrap();
        }
        let size = to.metadata().unwrap().len();
        registry.push_str(&format!(
            "[[model.file]]\nname = \"{name}\"\nsize = {size}\nsha256 = \"{sha256}\"\n"
        ));
    }
    registry.push_str("[model.hub]\nrepository = \"owner/other\"\nrevision = \"1\"\n");
    let options = ModelStoreOptions {
        offline: true,
        quiet: true,
        folder: Some(dir.path().to_owned()),
        local: dir.path().join("none"),
        cache: dir.path().join("cache"),
        hub_cache: None,
        hub_endpoint: None,
        hub_offline: true,
        index_url: None,
    };
    let registry = Registry::parse(&registry, "test").unwrap();
    ModelStore::with_registry(registry, options).ensure("other").unwrap()
}

#[test]
fn another_model_of_the_same_width_misses() {
    let (models, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let other = load(&other_model(&models));
    assert_eq!(other.dim(), embedder().dim());
    assert_ne!(other.key(), embedder().key());
    assert_eq!(through(dir.path(), embedder(), &TEXTS).1, 4);
    assert_eq!(through(dir.path(), &other, &TEXTS).1, 4);
    assert_eq!(through(dir.path(), &other, &TEXTS).1, 0);
    assert_eq!(through(dir.path(), embedder(), &TEXTS).1, 0);
}
