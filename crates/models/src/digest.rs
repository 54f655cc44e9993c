//! SHA-256 of model files, and a cache that avoids hashing gigabytes at every start.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::UNIX_EPOCH,
};

use fiel_store::{Error as StoreError, read_stored, sha256_file, write_stored};
use serde::{Deserialize, Serialize};

/// Digests of files by path. An entry is valid while size and modification time of the file are
/// unchanged.
///
/// The entries are stored in one file, `digests.json`. If it is missing, damaged, outdated or not
/// writable, the files are hashed again. The store compares every digest with the registry, so a
/// wrong entry leads to an error and never to the use of a wrong file.
#[derive(Debug)]
pub(crate) struct DigestMemory {
    path: PathBuf,
    files: Mutex<BTreeMap<String, Entry>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    size: u64,
    /// Modification time since 1970: seconds and nanoseconds.
    modified: (u64, u32),
    sha256: String,
}

const SCHEMA: &str = "fiel.digests";
const VERSION: u32 = 2;

impl DigestMemory {
    /// Opens the cache in this file. It is empty if the file cannot be read.
    pub(crate) fn open(path: PathBuf) -> Self {
        let files = Mutex::new(load(&path).unwrap_or_default());
        Self { path, files }
    }

    /// The digest of a file, if it is known and the file is unchanged.
    pub(crate) fn get(&self, path: &Path) -> Option<String> {
        let (key, size, modified) = identity(path)?;
        let files = self.lock();
        let entry = files.get(&key)?;
        (entry.size == size && entry.modified == modified).then(|| entry.sha256.clone())
    }

    /// Hashes a file and stores the digest.
    pub(crate) fn hash(&self, path: &Path) -> io::Result<String> {
        let before = identity(path);
        let sha256 = sha256_file(path)?;
        // The digest of a file that changed meanwhile may be of neither version.
        if before.is_some() && identity(path) == before {
            self.insert(before, &sha256);
        }
        Ok(sha256)
    }

    /// Stores the digest of a file that was hashed under another name.
    pub(crate) fn remember(&self, path: &Path, sha256: &str) {
        self.insert(identity(path), sha256);
    }

    fn insert(&self, identity: Option<Identity>, sha256: &str) {
        let Some((key, size, modified)) = identity else { return };
        let entry = Entry { size, modified, sha256: sha256.to_owned() };
        let mut files = self.lock();
        files.insert(key.clone(), entry.clone());
        // Other processes write the same file: merge with its present contents.
        let mut all = load(&self.path).unwrap_or_default();
        all.insert(key, entry);
        // A file that cannot be written costs hashing again.
        let _ = serde_json::to_vec_pretty(&all)
            .map(|payload| write_stored(&self.path, SCHEMA, VERSION, &payload));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Canonical path, size and modification time.
type Identity = (String, u64, (u64, u32));

fn identity(path: &Path) -> Option<Identity> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let key = fs::canonicalize(path).ok()?.into_os_string().into_string().ok()?;
    Some((key, metadata.len(), (modified.as_secs(), modified.subsec_nanos())))
}

fn load(path: &Path) -> Result<BTreeMap<String, Entry>, StoreError> {
    let Some(payload) = read_stored(path, SCHEMA, VERSION)? else { return Ok(BTreeMap::new()) };
    serde_json::from_slice(&payload).map_err(|e| StoreError::stored(path, e))
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
        assert_eq!(DigestMemory::open(kept.clone()).get(&file).as_deref(), Some(ABC));

        let later =
            fs::metadata(&file).unwrap().modified().unwrap() + std::time::Duration::from_secs(1);
        fs::write(&file, "abd").unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        assert_eq!(DigestMemory::open(kept).get(&file), None);
    }

    #[test]
    fn a_damaged_memory_is_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        let kept = folder.path().join("digests.json");
        fs::write(&file, "abc").unwrap();
        for bad in ["", "{\"schema\":", "{\"schema\":\"other\",\"version\":1,\"files\":{}}"] {
            fs::write(&kept, bad).unwrap();
            let memory = DigestMemory::open(kept.clone());
            assert_eq!(memory.get(&file), None);
            assert_eq!(memory.hash(&file).unwrap(), ABC);
            assert_eq!(DigestMemory::open(kept.clone()).get(&file).as_deref(), Some(ABC));
        }
    }

    #[test]
    fn two_memories_of_one_file_keep_both_entries() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("digests.json");
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "abc").unwrap();
        fs::write(&b, "abc").unwrap();
        let (one, two) = (DigestMemory::open(kept.clone()), DigestMemory::open(kept.clone()));
        one.hash(&a).unwrap();
        two.hash(&b).unwrap();
        let both = DigestMemory::open(kept);
        assert!(both.get(&a).is_some() && both.get(&b).is_some());
    }

    #[test]
    fn the_committed_file_is_read_and_other_versions_refused() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let files = load(&data.join("digests-v2.json")).unwrap();
        let expected = Entry { size: 3, modified: (1_700_000_000, 5), sha256: ABC.to_owned() };
        assert_eq!(files["/models/abc"], expected);
        // Version 1 had no header.
        let error = load(&data.join("digests-v1.json")).unwrap_err();
        assert!(error.to_string().contains("a header of fiel.digests"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("digests.json");
        write_stored(&path, SCHEMA, VERSION + 1, b"{}").unwrap();
        let error = load(&path).unwrap_err();
        let expected = "expected fiel.digests version 2, found fiel.digests version 3";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
