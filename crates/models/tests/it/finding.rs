//! Models in local folders.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use fiel_models::{Error, Integrity, ModelFolder, ModelStore, ModelStoreOptions, Registry};

use crate::{A, B, ID, find_local, options, store, write_model};

/// Overwrites a file without changing its size and modification time.
fn overwrite_unnoticed(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    fs::write(path, vec![b'x'; bytes.len()]).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
}

/// Overwrites a file without changing its size.
fn overwrite(path: &Path) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    overwrite_unnoticed(path);
    let later = modified + Duration::from_secs(2);
    File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
}

#[test]
fn folders_are_searched_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let hub = base.join("hub/models--owner--toy/snapshots");
    let all = ModelStoreOptions {
        folder: Some(base.join("named")),
        hub_cache: Some(base.join("hub")),
        ..options(&folder)
    };
    assert_eq!(find_local(all.clone()), None);
    let mut last = None;
    for (place, dir) in [
        (ModelFolder::HubCache, hub.join("0ther")),
        (ModelFolder::HubCache, hub.join("c0ffee")),
        (ModelFolder::Cache, base.join("cache").join(ID)),
        (ModelFolder::Local, base.join("models").join(ID)),
        (ModelFolder::Folder, base.join("named").join(ID)),
    ] {
        write_model(&dir);
        let store = store(all.clone());
        let files = store.ensure(ID).unwrap();
        assert_eq!(files.dir(), dir);
        assert_eq!(fs::read(files.path("a.json").unwrap()).unwrap(), A);
        assert_eq!(fs::read(files.path("b.bin").unwrap()).unwrap(), B);
        assert_eq!(store.status()[0].location, Some((place, dir)));
        // The digest does not depend on the folder.
        let digest = files.digest();
        assert_eq!(*last.get_or_insert(digest.clone()), digest);
    }
}

#[test]
fn a_wrong_sha256_is_rejected_and_the_next_folder_used() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("named").join(ID);
    write_model(&named);
    overwrite(&named.join("b.bin"));
    let all = ModelStoreOptions { folder: Some(folder.path().join("named")), ..options(&folder) };

    let error = store(all.clone()).ensure(ID).unwrap_err().to_string();
    assert!(error.contains("b.bin: expected SHA-256"), "{error}");
    assert!(matches!(store(all.clone()).verify(ID), Err(Error::Mismatch { .. })));

    write_model(&folder.path().join("cache").join(ID));
    let files = store(all).ensure(ID).unwrap();
    assert_eq!(files.dir(), folder.path().join("cache").join(ID));
}

#[test]
fn a_wrong_size_is_rejected_without_reading() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    write_model(&cache);
    fs::write(cache.join("a.json"), "short").unwrap();
    let store = store(options(&folder));
    let error = store.verify(ID).unwrap_err().to_string();
    assert!(error.contains("expected 22 bytes, got 5 bytes"), "{error}");
    assert_eq!(store.status()[0].check, Integrity::Damaged);
}

#[test]
fn an_incomplete_folder_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    write_model(&cache);
    fs::remove_file(cache.join("b.bin")).unwrap();
    let store = store(options(&folder));
    assert_eq!(store.status()[0].check, Integrity::Missing);
    let error = store.ensure(ID).unwrap_err().to_string();
    assert!(error.contains("b.bin"), "{error}");
}

#[test]
fn a_second_start_does_not_hash_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").join(ID);
    write_model(&cache);
    let first = store(options(&folder));
    assert_eq!(first.status()[0].check, Integrity::Unchecked);
    first.ensure(ID).unwrap();
    assert_eq!(first.status()[0].check, Integrity::Verified);

    // Size and time do not reveal the change, so this proves that the second start does not hash.
    overwrite_unnoticed(&cache.join("b.bin"));
    assert!(find_local(options(&folder)).is_some());
    // `verify` hashes the files.
    assert!(matches!(store(options(&folder)).verify(ID), Err(Error::Mismatch { .. })));
    assert_eq!(store(options(&folder)).status()[0].check, Integrity::Damaged);

    // Damaged hashes are replaced.
    write_model(&cache);
    fs::write(folder.path().join("cache/digests.json"), "{ not json").unwrap();
    assert!(find_local(options(&folder)).is_some());
    assert_eq!(store(options(&folder)).status()[0].check, Integrity::Verified);
}

#[test]
fn offline_errors_list_every_source_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let hub_cache = Some(folder.path().join("hub"));
    let error = store(ModelStoreOptions { hub_cache, ..options(&folder) }).ensure(ID).unwrap_err();
    let Error::Unavailable { attempts, .. } = &error else { panic!("{error}") };
    let sources: Vec<&str> = attempts.iter().map(|a| a.source.as_str()).collect();
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
    assert!(text.contains("hub repository owner/toy: skipped: offline"), "{text}");
    assert!(text.contains("fiel models fetch toy"), "{text}");
    // No folder was created.
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn errors_for_unknown_models_list_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(options(&folder));
    for error in [store.ensure("toys").unwrap_err(), store.verify("toys").unwrap_err()] {
        let message = error.to_string();
        let expected = "unknown model \"toys\"; the registry has toy. ";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_registry_in_the_local_folder_replaces_the_built_in_one() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder);
    let built_in = ModelStore::new(options.clone()).unwrap();
    assert_eq!(built_in.registry().models().len(), Registry::built_in().unwrap().models().len());

    fs::create_dir(&options.local).unwrap();
    fs::write(options.local.join("models.toml"), "version = 1\n").unwrap();
    assert_eq!(ModelStore::new(options.clone()).unwrap().registry().models().len(), 0);

    fs::write(options.local.join("models.toml"), "version = 1\nmodels = []\n").unwrap();
    let error = ModelStore::new(options).unwrap_err().to_string();
    assert!(error.contains("models.toml") && error.contains("models"), "{error}");
}

#[test]
fn a_file_is_opened_by_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.Q4_0.gguf");
    fs::write(&path, "gguf").unwrap();
    let store = store(options(&folder));
    let open = |path: &Path| store.ensure(path.to_str().unwrap());
    let files = open(&path).unwrap();
    assert_eq!(files.id(), "my.Q4_0");
    assert_eq!(fs::read(files.gguf().unwrap()).unwrap(), b"gguf");
    assert_eq!(files.digest(), open(&path).unwrap().digest());
    fs::write(&path, "other").unwrap();
    assert_ne!(files.digest(), open(&path).unwrap().digest());
    assert!(open(&folder.path().join("none")).is_err());
    assert!(open(folder.path()).is_err());
}
