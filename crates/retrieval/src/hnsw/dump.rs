//! HNSW graphs on disk.

use std::path::{Path, PathBuf};

use fiel_embedding::Vectors;
use fiel_store::{read_stored, sha256_hex, write_stored};
use hnsw_rs::prelude::{AnnT, HnswIo};
use serde::{Deserialize, Serialize};

use crate::hnsw::{EF_CONSTRUCTION, Inner, M};

const SCHEMA: &str = "fiel.hnsw";
const VERSION: u32 = 1;

/// A graph on disk. `hnsw_rs` may abort the process when it reads a damaged file, so a third file,
/// the seal, holds the SHA-256 of its two files. The seal is written last and checked first.
pub(crate) struct Dump {
    dir: PathBuf,
    name: String,
}

#[derive(Serialize, Deserialize)]
struct Seal {
    ef: usize,
    graph: String,
    data: String,
}

impl Dump {
    /// The dump of these vectors. The name is a digest of everything that the graph depends on.
    pub(crate) fn new(dir: &Path, vectors: &Vectors) -> Self {
        let mut all = format!("{M} {EF_CONSTRUCTION} {}\n", vectors.dim()).into_bytes();
        let values = vectors.rows().flatten();
        all.extend(values.flat_map(|x| x.to_le_bytes()));
        Self { dir: dir.to_owned(), name: sha256_hex(&all)[..24].to_owned() }
    }

    fn file(&self, dir: &Path, kind: &str) -> PathBuf {
        dir.join(format!("{}.hnsw.{kind}", self.name))
    }

    fn seal(&self) -> PathBuf {
        self.dir.join(format!("{}.seal", self.name))
    }

    /// The graph and the number of candidates that a search needs. `None` if the dump is missing,
    /// damaged or has another version: then the graph is built again.
    pub(crate) fn load(&self) -> Option<(Inner, usize)> {
        let seal = read_seal(&self.seal())?;
        let intact = |kind, digest: &str| {
            std::fs::read(self.file(&self.dir, kind)).is_ok_and(|b| sha256_hex(&b) == digest)
        };
        if !intact("graph", &seal.graph) || !intact("data", &seal.data) {
            return None;
        }
        // The graph borrows from its reader, so the reader must outlive it: a few hundred bytes
        // per index.
        let reader: &'static mut HnswIo = Box::leak(Box::new(HnswIo::new(&self.dir, &self.name)));
        Some((reader.load_hnsw().ok()?, seal.ef))
    }

    /// Writes the dump. `None` if the folder cannot be written.
    pub(crate) fn store(&self, graph: &Inner, ef: usize) -> Option<()> {
        std::fs::create_dir_all(&self.dir).ok()?;
        let work = tempfile::tempdir_in(&self.dir).ok()?;
        graph.file_dump(work.path(), &self.name).ok()?;
        let place = |kind| {
            let (from, to) = (self.file(work.path(), kind), self.file(&self.dir, kind));
            let bytes = std::fs::read(&from).ok()?;
            std::fs::rename(&from, &to).ok()?;
            Some(sha256_hex(&bytes))
        };
        let seal = Seal { ef, graph: place("graph")?, data: place("data")? };
        write_stored(&self.seal(), SCHEMA, VERSION, &serde_json::to_vec(&seal).ok()?).ok()
    }
}

fn read_seal(path: &Path) -> Option<Seal> {
    let payload = read_stored(path, SCHEMA, VERSION).ok()??;
    serde_json::from_slice(&payload).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_seal_is_read_and_another_version_ignored() {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/graph-v1.seal");
        let seal = read_seal(&fixture).expect("a seal");
        assert_eq!((seal.ef, seal.graph), (64, sha256_hex(b"graph")));
        let text = std::fs::read_to_string(&fixture).expect("text");
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("other.seal");
        let payload = text.split_once('\n').expect("a header").1;
        write_stored(&path, SCHEMA, VERSION + 1, payload.as_bytes()).expect("written");
        assert!(read_seal(&path).is_none());
    }
}
