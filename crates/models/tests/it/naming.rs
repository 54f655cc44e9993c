//! Models outside the registry, and trust on first use.

use std::{collections::BTreeMap, fs, path::Path};

use fiel_models::{Error, Integrity, ModelFolder, ModelStore, ModelStoreOptions, Registry};
use tempfile::TempDir;

use crate::{
    names, options,
    server::{Page, Server, Transfer},
    store,
};

const FILES: [(&str, &str); 4] = [
    ("config.json", "{}"),
    ("tokenizer.json", "{\"version\": \"1.0\"}"),
    ("model.safetensors", "weights"),
    ("1_Pooling/config.json", "{\"pooling_mode_cls_token\": true}"),
];

/// Pages of a hub whose branch `main` is at `commit`, with `files`.
fn hub(commit: &str, files: &[(&str, &str)]) -> BTreeMap<String, Page> {
    let siblings: Vec<String> =
        files.iter().map(|(name, _)| format!("{{\"rfilename\": \"{name}\"}}")).collect();
    let info = format!("{{\"sha\": \"{commit}\", \"siblings\": [{}]}}", siblings.join(", "));
    let mut pages = BTreeMap::new();
    for revision in ["main", commit] {
        let path = format!("/api/models/owner/name/revision/{revision}");
        pages.insert(path, Page::Html(info.clone()));
    }
    for (name, text) in files {
        let path = format!("/owner/name/resolve/{commit}/{name}");
        pages.insert(path, Page::File(text.as_bytes().into(), Transfer::Whole));
    }
    pages
}

fn online(folder: &TempDir, server: &Server) -> ModelStoreOptions {
    ModelStoreOptions { offline: false, hub_endpoint: Some(server.url.clone()), ..options(folder) }
}

fn write_model(dir: &Path) {
    for (name, text) in FILES {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_folder_is_a_model_without_verification() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("encoder");
    write_model(&dir);
    let store = store(options(&folder));
    let name = dir.to_str().unwrap();
    let files = store.ensure(name).unwrap();
    assert_eq!(files.id(), "encoder");
    let mut expected: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    expected.sort();
    assert_eq!(files.names().collect::<Vec<_>>(), expected);

    let status = store.status_of(name).unwrap();
    assert_eq!((status.check, status.task), (Integrity::AsFound, None));
    assert_eq!(status.location.unwrap().0, ModelFolder::Named);
    assert_eq!(status.size, Some(FILES.iter().map(|(_, text)| text.len() as u64).sum()));

    // Changed files have another digest.
    fs::write(dir.join("1_Pooling/config.json"), "{}").unwrap();
    assert_ne!(store.ensure(name).unwrap().digest(), files.digest());
    fs::remove_dir_all(dir.join("1_Pooling")).unwrap();
    assert_eq!(store.ensure(name).unwrap().names().count(), 3);
}

#[test]
fn errors_for_a_folder_list_the_missing_files() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("encoder");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("config.json"), "{}").unwrap();
    let error = store(options(&folder)).ensure(dir.to_str().unwrap()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("lacks tokenizer.json, model.safetensors;"), "{message}");
    assert!(message.contains(dir.file_name().unwrap().to_str().unwrap()), "{message}");
}

#[test]
fn errors_for_unknown_names_list_the_possible_names() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(options(&folder));
    for name in ["encoder", "./encoder", "a/b/c", "/none/of/this"] {
        let message = store.ensure(name).unwrap_err().to_string();
        for words in [name, "the registry has toy", "folder", "OWNER/NAME"] {
            assert!(message.contains(words), "{message}");
        }
    }
    let message = store.ensure("here/a.gguf").unwrap_err().to_string();
    assert!(message.contains("cannot open here/a.gguf"), "{message}");

    let error = store.ensure("owner/name").unwrap_err();
    let Error::Unavailable { attempts, .. } = &error else { panic!("{error}") };
    assert_eq!(attempts[0].source, "file or folder owner/name");
    let message = error.to_string();
    assert!(message.contains("hub repository owner/name: skipped: offline"), "{message}");
    assert!(message.contains("model.safetensors in owner--name/"), "{message}");
    assert!(!message.contains("modules.json"), "{message}");
    assert_eq!(store.status_of("owner/name").unwrap().check, Integrity::Missing);
}

#[test]
fn a_repository_is_downloaded_from_one_commit_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub("c0ffee", &FILES));
    let first = store(online(&folder, &server));
    let files = first.ensure("owner/name").unwrap();
    let dir = folder.path().join("cache/owner--name");
    assert_eq!(files.dir(), dir);
    assert_eq!(
        names(&dir),
        [
            ".lock",
            "1_Pooling",
            "config.json",
            "first-use.json",
            "model.safetensors",
            "tokenizer.json"
        ]
    );
    assert_eq!(first.status_of("owner/name").unwrap().check, Integrity::FirstUse);
    assert_eq!(first.status_of("owner/name").unwrap().size, None);
    let record = fs::read_to_string(dir.join("first-use.json")).unwrap();
    assert!(record.contains("\"commit\": \"c0ffee\""), "{record}");

    // Another store finds the files offline.
    let second = store(options(&folder));
    assert_eq!(second.ensure("owner/name").unwrap(), files);
    assert_eq!(second.verify("owner/name").unwrap(), files);
}

#[test]
fn a_changed_file_is_rejected_and_the_recorded_commit_downloaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub("c0ffee", &FILES));
    let files = store(online(&folder, &server)).ensure("owner/name").unwrap();
    let weights = folder.path().join("cache/owner--name/model.safetensors");
    fs::write(&weights, "WEIGHTS").unwrap();
    let offline = store(options(&folder));
    let Error::Mismatch { path, .. } = offline.verify("owner/name").unwrap_err() else {
        panic!("not rejected")
    };
    assert_eq!(path, weights);
    assert_eq!(offline.status_of("owner/name").unwrap().check, Integrity::Damaged);
    assert!(offline.ensure("owner/name").is_err());

    // The branch has moved to another commit.
    let mut moved = hub("c0ffee", &FILES);
    moved.extend(hub("0ther", &[("config.json", "{\"other\": 1}")]));
    let server = Server::start(moved);
    assert_eq!(store(online(&folder, &server)).ensure("owner/name").unwrap(), files);

    // Other bytes in the same commit are rejected.
    fs::write(&weights, "WEIGHTS").unwrap();
    let mut bad = FILES;
    bad[2].1 = "forgery";
    let server = Server::start(hub("c0ffee", &bad));
    let message = store(online(&folder, &server)).ensure("owner/name").unwrap_err().to_string();
    assert!(message.contains("model.safetensors: expected SHA-256"), "{message}");
}

#[test]
fn errors_for_a_repository_list_the_missing_files() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub("c0ffee", &[("config.json", "{}"), ("pytorch_model.bin", "")]));
    let store = store(online(&folder, &server));
    let message = store.ensure("owner/name").unwrap_err().to_string();
    assert!(
        message.contains("the repository lacks tokenizer.json, model.safetensors"),
        "{message}"
    );
    let message = store.ensure("owner/name/a.gguf").unwrap_err().to_string();
    assert!(message.contains("the repository lacks a.gguf"), "{message}");
    let message = store.ensure("owner/other").unwrap_err().to_string();
    assert!(message.contains("hub repository owner/other") && message.contains("404"), "{message}");
}

#[test]
fn a_gguf_file_of_a_repository_and_a_revision() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub("c0ffee", &[("q4/a.gguf", "GGUF")]));
    let store = store(online(&folder, &server));
    let files = store.ensure("owner/name/q4/a.gguf@c0ffee").unwrap();
    let expected = folder.path().join("cache/owner--name--q4--a.gguf@c0ffee/q4/a.gguf");
    assert_eq!(files.gguf().unwrap(), expected);
}

#[test]
fn the_cache_of_the_hub_is_read_at_the_commit_of_the_branch() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("hub");
    let repository = cache.join("models--owner--name");
    for commit in ["0ther", "c0ffee"] {
        write_model(&repository.join("snapshots").join(commit));
    }
    fs::create_dir_all(repository.join("refs")).unwrap();
    fs::write(repository.join("refs/main"), "c0ffee").unwrap();
    let store = store(ModelStoreOptions { hub_cache: Some(cache), ..options(&folder) });
    let files = store.ensure("owner/name").unwrap();
    assert_eq!(files.dir(), repository.join("snapshots/c0ffee"));
    assert_eq!(store.status_of("owner/name").unwrap().check, Integrity::AsFound);
}

#[test]
fn a_registry_entry_without_hashes_is_trusted_on_first_use() {
    let folder = tempfile::tempdir().unwrap();
    let text = "version = 1\n[[model]]\nid = \"scorer\"\ntask = \"reranking\"\nlicence = \"MIT\"\n\
                [[model.file]]\nname = \"config.json\"\n\
                [model.hub]\nrepository = \"owner/name\"\nrevision = \"main\"\n";
    let registry = Registry::parse(text, "test").unwrap();
    let server = Server::start(hub("c0ffee", &FILES));
    let store = ModelStore::with_registry(registry, online(&folder, &server));
    let status = store.status();
    assert_eq!(status[0].task.unwrap().to_string(), "reranking");
    assert_eq!((status[0].check, status[0].size), (Integrity::Missing, None));
    store.ensure("scorer").unwrap();
    assert_eq!(store.status()[0].check, Integrity::FirstUse);
    // A damaged record makes the model damaged.
    let record = folder.path().join("cache/scorer/first-use.json");
    fs::write(&record, "{\"schema\": \"other\"}").unwrap();
    assert_eq!(store.status()[0].check, Integrity::Damaged);
    let message = store.verify("scorer").unwrap_err().to_string();
    assert!(
        message.contains("first-use.json") && message.contains("delete the folder"),
        "{message}"
    );
}
