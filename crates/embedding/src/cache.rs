//! Embeddings on disk.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use fiel_store::{Error as StoreError, FileLock, read_stored, sha256_hex, write_stored};

use crate::{Embedder, Error, Vectors};

const SCHEMA: &str = "fiel.embeddings";
const VERSION: u32 = 1;
/// Texts to embed between two writes of the file; an interruption loses at most these.
const BETWEEN_WRITES: usize = 2048;
/// Hexadecimal digits of the SHA-256 of a text.
const KEY: usize = 64;

/// The vectors of one model on disk, by the SHA-256 of their text: after an edit of a document,
/// only the changed texts are embedded again.
pub struct EmbeddingCache {
    path: PathBuf,
    dim: usize,
    entries: BTreeMap<String, Vec<f32>>,
}

impl EmbeddingCache {
    /// Opens the cache of `embedder` in a folder. It is empty if the file does not exist yet, cannot
    /// be read, is damaged or has another version.
    pub fn open(dir: &Path, embedder: &Embedder) -> Self {
        let path = dir.join(format!("{}.bin", &embedder.key()[..16]));
        let dim = embedder.dim();
        let entries = load(&path, dim).unwrap_or_default();
        Self { path, dim, entries }
    }

    /// Returns the vectors of all texts in their order, and the number of texts that were not in
    /// the cache. Embeds those, and stores them if the file can be written.
    ///
    /// # Errors
    /// As [`Embedder::embed`].
    pub fn embed(
        &mut self,
        embedder: &Embedder,
        texts: &[&str],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Vectors, usize), Error> {
        let keys: Vec<String> = texts.iter().map(|t| sha256_hex(t.as_bytes())).collect();
        let mut seen = BTreeSet::new();
        let missing: Vec<usize> = (0..texts.len())
            .filter(|&i| !self.entries.contains_key(&keys[i]) && seen.insert(&keys[i]))
            .collect();
        for (turn, part) in missing.chunks(BETWEEN_WRITES).enumerate() {
            let part_texts: Vec<&str> = part.iter().map(|&i| texts[i]).collect();
            let before = turn * BETWEEN_WRITES;
            let embedded = embedder.embed(&part_texts, &mut |done| {
                progress(before + done, missing.len());
            })?;
            for (&index, row) in part.iter().zip(embedded.rows()) {
                self.entries.insert(keys[index].clone(), row.to_vec());
            }
            // Without a cache the texts are embedded again the next time.
            let _ = self.store();
        }
        let mut vectors = Vectors::new(self.dim);
        keys.iter().for_each(|key| vectors.push(&self.entries[key]));
        Ok((vectors, missing.len()))
    }

    /// Writes the file, with what other processes have added to it.
    fn store(&mut self) -> Result<(), StoreError> {
        let _lock = FileLock::acquire(&self.path.with_extension("lock"))?;
        for (key, row) in load(&self.path, self.dim).unwrap_or_default() {
            self.entries.entry(key).or_insert(row);
        }
        write_stored(&self.path, SCHEMA, VERSION, &serialize(&self.entries))
    }
}

fn load(path: &Path, dim: usize) -> Result<BTreeMap<String, Vec<f32>>, StoreError> {
    let Some(payload) = read_stored(path, SCHEMA, VERSION)? else { return Ok(BTreeMap::new()) };
    parse(&payload, dim)
        .ok_or_else(|| StoreError::stored(path, format!("expected entries of {dim} finite values")))
}

/// For each entry, [`KEY`] bytes of key and the values as little-endian `f32`.
fn serialize(entries: &BTreeMap<String, Vec<f32>>) -> Vec<u8> {
    let mut out = Vec::new();
    for (key, row) in entries {
        out.extend_from_slice(key.as_bytes());
        row.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
    }
    out
}

fn parse(payload: &[u8], dim: usize) -> Option<BTreeMap<String, Vec<f32>>> {
    let width = KEY + 4 * dim;
    if !payload.len().is_multiple_of(width) {
        return None;
    }
    let entry = |bytes: &[u8]| {
        let key = std::str::from_utf8(&bytes[..KEY]).ok()?.to_owned();
        let row: Vec<f32> = bytes[KEY..]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        row.iter().all(|x| x.is_finite()).then_some((key, row))
    };
    payload.chunks_exact(width).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> BTreeMap<String, Vec<f32>> {
        BTreeMap::from([(sha256_hex(b"a"), vec![0.5, -1.0]), (sha256_hex(b"b"), vec![0.0, 2.0])])
    }

    #[test]
    fn entries_come_back_and_a_truncated_payload_does_not() {
        let bytes = serialize(&entries());
        assert_eq!(parse(&bytes, 2), Some(entries()));
        assert_eq!(parse(&bytes[1..], 2), None);
    }

    /// Two texts and vectors of two dimensions, in the format of version 1.
    #[test]
    fn the_committed_file_is_read_and_another_version_refused() {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/embeddings-v1.bin");
        assert_eq!(load(&fixture, 2).expect("read"), entries());
        let error = load(&fixture, 3).expect_err("another dimension");
        assert!(error.to_string().contains("entries of 3"), "{error}");
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("other.bin");
        write_stored(&path, SCHEMA, VERSION + 1, &serialize(&entries())).expect("written");
        let error = load(&path, 2).expect_err("another version");
        let expected = "expected fiel.embeddings version 1, found fiel.embeddings version 2";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
