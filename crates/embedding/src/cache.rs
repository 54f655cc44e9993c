use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use fiel_corpus::{Error as StoreError, read_stored, sha256_hex, write_stored};

use crate::{Embedder, Error, Vectors};

const SCHEMA: &str = "fiel.embeddings";
const VERSION: u32 = 1;
/// Texts embedded before the file is written: what an interruption can lose.
const BETWEEN_WRITES: usize = 2048;

/// Vectors of one model on disk, found by the SHA-256 of their text, so that editing a document
/// embeds only what changed.
pub struct EmbeddingCache {
    path: PathBuf,
    dim: usize,
    entries: BTreeMap<String, Vec<f32>>,
}

impl EmbeddingCache {
    /// Opens the cache of `embedder` in a folder; it is empty when there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn open(dir: &Path, embedder: &Embedder) -> Result<Self, Error> {
        let path = dir.join(format!("{}.bin", &embedder.key()[..16]));
        let dim = embedder.dim();
        let entries = match read_stored(&path, SCHEMA, VERSION) {
            Ok(Some(payload)) => parse(&payload, dim).ok_or_else(|| StoreError::Stored {
                path: path.clone(),
                problem: "its entries are cut short".into(),
            })?,
            Ok(None) => BTreeMap::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { path, dim, entries })
    }

    /// Vectors of all texts in order; those not known yet are made and stored. Returns how many
    /// were made.
    ///
    /// # Errors
    /// As [`Embedder::embed`], and when the file cannot be written.
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
            let wanted: Vec<&str> = part.iter().map(|&i| texts[i]).collect();
            let before = turn * BETWEEN_WRITES;
            let made = embedder.embed(&wanted, &mut |done| {
                progress(before + done, missing.len());
            })?;
            for (&index, row) in part.iter().zip(made.rows()) {
                self.entries.insert(keys[index].clone(), row.to_vec());
            }
            write_stored(&self.path, SCHEMA, VERSION, &serialize(&self.entries))?;
        }
        let mut vectors = Vectors::new(self.dim);
        keys.iter().for_each(|key| vectors.push(&self.entries[key]));
        Ok((vectors, missing.len()))
    }
}

/// Entries one after another: 64 bytes of key, then the values as little-endian singles.
fn serialize(entries: &BTreeMap<String, Vec<f32>>) -> Vec<u8> {
    let mut out = Vec::new();
    for (key, row) in entries {
        out.extend_from_slice(key.as_bytes());
        row.iter()
            .for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
    }
    out
}

fn parse(payload: &[u8], dim: usize) -> Option<BTreeMap<String, Vec<f32>>> {
    let width = 64 + 4 * dim;
    if !payload.len().is_multiple_of(width) {
        return None;
    }
    let entry = |bytes: &[u8]| {
        let key = std::str::from_utf8(&bytes[..64]).ok()?.to_owned();
        let row: Vec<f32> = bytes[64..]
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

    #[test]
    fn entries_come_back_and_a_torn_file_does_not() {
        let mut entries = BTreeMap::new();
        entries.insert(sha256_hex(b"a"), vec![0.5, -1.0]);
        entries.insert(sha256_hex(b"b"), vec![0.0, 2.0]);
        let bytes = serialize(&entries);
        assert_eq!(parse(&bytes, 2), Some(entries));
        assert_eq!(parse(&bytes[1..], 2), None);
    }
}
