use std::path::{Path, PathBuf};

use fiel_corpus::{read_stored, sha256_hex, write_stored};
use fiel_embedding::Vectors;
use hnsw_rs::prelude::{AnnT, HnswIo};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    hnsw::{EF_CONSTRUCTION, Inner, M},
};

const SCHEMA: &str = "fiel.hnsw";
const VERSION: u32 = 1;

/// A graph on disk. `hnsw_rs` may end the process over a damaged file, so its two files stand
/// behind a third with their SHA-256, which is written last and checked first.
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
    /// Its place, named by everything that the graph depends on.
    pub(crate) fn of(dir: &Path, vectors: &Vectors) -> Self {
        let mut all = format!("{M} {EF_CONSTRUCTION} {}\n", vectors.dim()).into_bytes();
        let values = vectors.rows().flatten();
        all.extend(values.flat_map(|x| x.to_le_bytes()));
        Self {
            dir: dir.to_owned(),
            name: sha256_hex(&all)[..24].to_owned(),
        }
    }

    fn file(&self, dir: &Path, kind: &str) -> PathBuf {
        dir.join(format!("{}.hnsw.{kind}", self.name))
    }

    fn seal(&self) -> PathBuf {
        self.dir.join(format!("{}.seal", self.name))
    }

    /// The graph and the number of candidates that a search needs; `None` where there is no dump,
    /// or one that is not as it was written.
    pub(crate) fn load(&self) -> Option<(Inner, usize)> {
        let payload = read_stored(&self.seal(), SCHEMA, VERSION).ok()??;
        let seal: Seal = serde_json::from_slice(&payload).ok()?;
        let intact = |kind, digest: &str| {
            std::fs::read(self.file(&self.dir, kind)).is_ok_and(|b| sha256_hex(&b) == digest)
        };
        if !intact("graph", &seal.graph) || !intact("data", &seal.data) {
            return None;
        }
        // The graph borrows from its reader, so the reader stays: some hundred bytes, once an
        // index.
        let reader: &'static mut HnswIo = Box::leak(Box::new(HnswIo::new(&self.dir, &self.name)));
        Some((reader.load_hnsw().ok()?, seal.ef))
    }

    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn store(&self, graph: &Inner, ef: usize) -> Result<(), Error> {
        let bad = |path: &Path, e: &dyn std::fmt::Display| Error::Dump {
            path: path.to_owned(),
            message: e.to_string(),
        };
        std::fs::create_dir_all(&self.dir).map_err(|e| bad(&self.dir, &e))?;
        let work = tempfile::tempdir_in(&self.dir).map_err(|e| bad(&self.dir, &e))?;
        graph
            .file_dump(work.path(), &self.name)
            .map_err(|e| bad(work.path(), &e))?;
        let place = |kind| -> Result<String, Error> {
            let (from, to) = (self.file(work.path(), kind), self.file(&self.dir, kind));
            let bytes = std::fs::read(&from).map_err(|e| bad(&from, &e))?;
            std::fs::rename(&from, &to).map_err(|e| bad(&to, &e))?;
            Ok(sha256_hex(&bytes))
        };
        let seal = Seal {
            ef,
            graph: place("graph")?,
            data: place("data")?,
        };
        let payload = serde_json::to_vec(&seal).map_err(|e| bad(&self.seal(), &e))?;
        write_stored(&self.seal(), SCHEMA, VERSION, &payload).map_err(|e| bad(&self.seal(), &e))
    }
}
