//! Models that lie on this machine.

use std::fs::{self, File};
use std::path::Path;

use fiel_models::{Check, Error, Place, Registry, Store, StoreOptions};

use crate::{A, B, ID, options, put, registry, store};

/// Other bytes of the same number, under the old time of modification.
fn swap_bytes(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    fs::write(path, vec![b'x'; bytes.len()]).unwrap();
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
}

/// Other bytes of the same number, under a later time of modification.
fn damage(path: &Path) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    swap_bytes(path);
    let later = modified + std::time::Duration::from_secs(2);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(later)
        .unwrap();
}

#[test]
fn folders_are_looked_at_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let hub = base.join("hub/models--owner--toy/snapshots");
    let all = StoreOptions {
        folder: Some(base.join("named")),
        hub_cache: Some(base.join("hub")),
        ..options(&folder)
    };
    assert_eq!(store(all.clone()).locate(ID), None);
    let mut last = None;
    for (place, dir) in [
        (Place::HubCache, hub.join("0ther")),
        (Place::HubCache, hub.join("c0ffee")),
        (Place::Cache, base.join("cache").join(ID)),
        (Place::Local, base.join("models").join(ID)),
        (Place::Folder, base.join("named").join(ID)),
    ] {
        put(&dir);
        let store = store(all.clone());
        let files = store.ensure(ID).unwrap();
        assert_eq!(files.dir(), dir);
        assert_eq!(fs::read(files.path("a.json").unwrap()).unwrap(), A);
        assert_eq!(fs::read(files.path("b.bin").unwrap()).unwrap(), B);
        assert_eq!(store.status()[0].location, Some((place, dir)));
        // Wherever the files lie, they are the same model.
        let digest = files.digest();
        assert_eq!(*last.get_or_insert(digest.clone()), digest);
    }
}

#[test]
fn another_sha256_is_refused_and_the_next_folder_taken() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("named").join(ID);
    put(&named);
    damage(&named.join("b.bin"));
    let all = StoreOptions {
        folder: Some(folder.path().join("named")),
        ..options(&folder)
    };

    let error = store(all.clone()).ensure(ID).unwrap_err().to_string();
    assert!(
        error.contains("b.bin: refused, expected SHA-256"),
        "{error}"
    );
    assert!(matches!(
        store(all.clone()).verify(ID),
        Err(Error::Refused { .. })
    ));

    put(&folder.path().join("cache").join(ID));
    let files = store(all).ensure(ID).unwrap();
    assert_eq!(files.dir(), folder.path().join("cache").join(ID));
}

#[test]
fn another_size_is_refused_without_reading() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    put(&cache);
    fs::write(cache.join("a.json"), "short").unwrap();
    let store = store(options(&folder));
    let error = store.verify(ID).unwrap_err().to_string();
    assert!(
        error.contains("expected 22 bytes, found 5 bytes"),
        "{error}"
    );
    assert_eq!(store.status()[0].check, Check::Damaged);
}

#[test]
fn an_incomplete_folder_counts_as_absent() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    put(&cache);
    fs::remove_file(cache.join("b.bin")).unwrap();
    let store = store(options(&folder));
    assert_eq!(store.locate(ID), None);
    assert_eq!(store.status()[0].check, Check::Missing);
    let error = store.ensure(ID).unwrap_err().to_string();
    assert!(error.contains("b.bin"), "{error}");
}

#[test]
fn a_second_start_does_not_hash_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    put(&cache);
    let first = store(options(&folder));
    assert_eq!(first.status()[0].check, Check::Unchecked);
    first.ensure(ID).unwrap();
    assert_eq!(first.status()[0].check, Check::Verified);

    // Not seen by size and time: the proof that the second start reads no bytes.
    swap_bytes(&cache.join("b.bin"));
    assert!(store(options(&folder)).locate(ID).is_some());
    // `verify` reads them.
    assert!(matches!(
        store(options(&folder)).verify(ID),
        Err(Error::Refused { .. })
    ));
    assert_eq!(store(options(&folder)).status()[0].check, Check::Damaged);

    // A damaged memory is made anew.
    put(&cache);
    fs::write(folder.path().join("cache/digests.json"), "{ not json").unwrap();
    assert!(store(options(&folder)).locate(ID).is_some());
    assert_eq!(store(options(&folder)).status()[0].check, Check::Verified);
}

#[test]
fn offline_names_every_source_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let hub_cache = Some(folder.path().join("hub"));
    let error = store(StoreOptions {
        hub_cache,
        ..options(&folder)
    })
    .ensure(ID)
    .unwrap_err();
    let Error::Unavailable { tried, .. } = &error else {
        panic!("{error}")
    };
    let sources: Vec<&str> = tried.iter().map(|tried| tried.source.as_str()).collect();
    assert_eq!(
        sources,
        [
            "FIEL_MODELS",
            "models/",
            "cache",
            "hub cache",
            "hub repository owner/toy",
            "Python packages toy-part1 … toy-part3"
        ]
    );
    let text = error.to_string();
    assert!(text.contains("FIEL_MODELS: not set"), "{text}");
    assert!(
        text.contains("hub repository owner/toy: not asked: offline"),
        "{text}"
    );
    assert!(text.contains("fiel models fetch toy"), "{text}");
    // Nothing was written on the way.
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn unknown_models_are_answered_with_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(options(&folder));
    for error in [
        store.ensure("toys").unwrap_err(),
        store.verify("toys").unwrap_err(),
    ] {
        let message = error.to_string();
        let expected = "no model \"toys\" in the registry; it knows toy. ";
        assert!(message.starts_with(expected), "{message}");
    }
    assert_eq!(store.locate("toys"), None);
}

#[test]
fn a_registry_in_the_working_directory_wins() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder);
    let built_in = Store::new(options.clone()).unwrap();
    assert_eq!(
        built_in.registry().models().len(),
        Registry::built_in().unwrap().models().len()
    );

    fs::create_dir(&options.local).unwrap();
    fs::write(options.local.join("models.toml"), "version = 1\n").unwrap();
    assert_eq!(
        Store::new(options.clone())
            .unwrap()
            .registry()
            .models()
            .len(),
        0
    );

    fs::write(
        options.local.join("models.toml"),
        "version = 1\nmodels = []\n",
    )
    .unwrap();
    let error = Store::new(options).unwrap_err().to_string();
    assert!(
        error.contains("models.toml") && error.contains("models"),
        "{error}"
    );
}

#[test]
fn a_file_opens_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.Q4_0.gguf");
    fs::write(&path, "gguf").unwrap();
    let store = store(options(&folder));
    let files = store.open_file(&path).unwrap();
    assert_eq!(files.id(), "my.Q4_0");
    assert_eq!(fs::read(files.gguf().unwrap()).unwrap(), b"gguf");
    assert_eq!(files.digest(), store.open_file(&path).unwrap().digest());
    fs::write(&path, "other").unwrap();
    assert_ne!(files.digest(), store.open_file(&path).unwrap().digest());
    assert!(store.open_file(&folder.path().join("none")).is_err());
    assert!(store.open_file(folder.path()).is_err());
    assert_eq!(registry().models().len(), 1);
}
