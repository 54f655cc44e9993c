//! SHA-256 of files, and the memory that spares hashing a gigabyte at every start.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a file in lower-case hexadecimal digits.
pub(crate) fn hash_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            n => hasher.update(&buffer[..n]),
        }
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Digests of files by path, valid as long as size and time of modification stay.
///
/// The memory is kept in one JSON file. It may be lost, damaged or not writable at any
/// time: all it costs is hashing again. An entry that disagrees with the registry is not
/// believed either, so a damaged one can refuse nothing.
#[derive(Debug)]
pub(crate) struct DigestMemory {
    path: PathBuf,
    files: Mutex<BTreeMap<String, Entry>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    size: u64,
    /// Time of modification since 1970, seconds and nanoseconds.
    modified: (u64, u32),
    sha256: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    schema: String,
    version: u32,
    files: BTreeMap<String, Entry>,
}

const SCHEMA: &str = "fiel-digests";
const VERSION: u32 = 1;

impl DigestMemory {
    /// The memory kept in this file; empty when it cannot be read.
    pub(crate) fn open(path: PathBuf) -> Self {
        let files = Mutex::new(read(&path));
        Self { path, files }
    }

    /// The remembered digest of a file that has not changed since.
    pub(crate) fn get(&self, path: &Path) -> Option<String> {
        let (key, size, modified) = identity(path)?;
        let files = self.lock();
        let entry = files.get(&key)?;
        (entry.size == size && entry.modified == modified).then(|| entry.sha256.clone())
    }

    /// Hashes a file and remembers the digest.
    pub(crate) fn hash(&self, path: &Path) -> io::Result<String> {
        let before = identity(path);
        let sha256 = hash_file(path)?;
        let unchanged = identity(path) == before;
        // A file that changed while it was read is not remembered.
        if let Some((key, size, modified)) = before.filter(|_| unchanged) {
            self.keep(
                key,
                Entry {
                    size,
                    modified,
                    sha256: sha256.clone(),
                },
            );
        }
        Ok(sha256)
    }

    /// Remembers the digest of a file that was hashed under another name.
    pub(crate) fn remember(&self, path: &Path, sha256: &str) {
        if let Some((key, size, modified)) = identity(path) {
            self.keep(
                key,
                Entry {
                    size,
                    modified,
                    sha256: sha256.to_owned(),
                },
            );
        }
    }

    fn keep(&self, key: String, entry: Entry) {
        let mut files = self.lock();
        files.insert(key.clone(), entry.clone());
        // Other processes write the file, too: keep what they have added.
        let mut all = read(&self.path);
        all.insert(key, entry);
        let _ = write(&self.path, all);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn identity(path: &Path) -> Option<(String, u64, (u64, u32))> {
    let metadata: Metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let key = fs::canonicalize(path)
        .ok()?
        .into_os_string()
        .into_string()
        .ok()?;
    Some((
        key,
        metadata.len(),
        (modified.as_secs(), modified.subsec_nanos()),
    ))
}

fn read(path: &Path) -> BTreeMap<String, Entry> {
    let document = fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    document
        .filter(|document: &Document| document.schema == SCHEMA && document.version == VERSION)
        .map(|document| document.files)
        .unwrap_or_default()
}

fn write(path: &Path, files: BTreeMap<String, Entry>) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA.to_owned(),
        version: VERSION,
        files,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, &document)?;
    file.flush()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1: the digest of "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn remembers_until_the_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        let kept = folder.path().join("digests.json");
        fs::write(&file, "abc").unwrap();
        let memory = DigestMemory::open(kept.clone());
        assert_eq!(memory.get(&file), None);
        assert_eq!(memory.hash(&file).unwrap(), ABC);
        assert_eq!(memory.get(&file).as_deref(), Some(ABC));
        assert_eq!(
            DigestMemory::open(kept.clone()).get(&file).as_deref(),
            Some(ABC)
        );

        let later =
            fs::metadata(&file).unwrap().modified().unwrap() + std::time::Duration::from_secs(1);
        fs::write(&file, "abd").unwrap();
        File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert_eq!(DigestMemory::open(kept).get(&file), None);
    }

    #[test]
    fn a_damaged_memory_is_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        let kept = folder.path().join("digests.json");
        fs::write(&file, "abc").unwrap();
        for bad in [
            "",
            "{\"schema\":",
            "{\"schema\":\"other\",\"version\":1,\"files\":{}}",
        ] {
            fs::write(&kept, bad).unwrap();
            let memory = DigestMemory::open(kept.clone());
            assert_eq!(memory.get(&file), None);
            assert_eq!(memory.hash(&file).unwrap(), ABC);
            assert_eq!(
                DigestMemory::open(kept.clone()).get(&file).as_deref(),
                Some(ABC)
            );
        }
    }

    #[test]
    fn two_memories_of_one_file_keep_both_entries() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("digests.json");
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "abc").unwrap();
        fs::write(&b, "abc").unwrap();
        let (one, two) = (
            DigestMemory::open(kept.clone()),
            DigestMemory::open(kept.clone()),
        );
        one.hash(&a).unwrap();
        two.hash(&b).unwrap();
        let both = DigestMemory::open(kept);
        assert!(both.get(&a).is_some() && both.get(&b).is_some());
    }
}
