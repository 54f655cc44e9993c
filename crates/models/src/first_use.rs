//! Trust on first use: size and SHA-256 of the files of a model that the registry does not pin.
//!
//! The record is in the folder of the model. Deleting the folder makes Fiel fetch the model again;
//! a copy of the folder includes the record.

use std::{borrow::Cow, collections::BTreeMap, fs, path::Path};

use fiel_store::{Error as StoreError, read_stored, write_stored};
use serde::{Deserialize, Serialize};

use crate::{
    Error, Result,
    spec::{HubSpec, ModelSpec},
};

/// Name of the record in the folder of the model.
const NAME: &str = "first-use.json";
const SCHEMA: &str = "fiel.first-use";
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Record {
    /// The commit of the hub that the files are from; `None` if they are from another source.
    commit: Option<String>,
    /// Every file by its name.
    files: BTreeMap<String, Pin>,
}

#[derive(Serialize, Deserialize)]
struct Pin {
    size: u64,
    sha256: String,
}

/// Version 1: plain JSON without a header.
#[derive(Deserialize)]
struct RecordV1 {
    schema: String,
    version: u32,
    #[serde(flatten)]
    record: Record,
}

/// The model with sizes, digests and commit from the record in `dir`. Without a record, and for a
/// model that the registry pins, the model is unchanged.
///
/// # Errors
/// [`Error::Registry`] if the record cannot be read, is damaged or has an unknown version.
pub(crate) fn pinned<'a>(spec: &'a ModelSpec, dir: &Path) -> Result<Cow<'a, ModelSpec>> {
    if spec.is_pinned() {
        return Ok(Cow::Borrowed(spec));
    }
    let path = dir.join(NAME);
    let refuse = |message: String| Error::Registry {
        origin: path.display().to_string(),
        message: format!("{message}; delete the folder to fetch the model again"),
    };
    let record = match load(&path) {
        Ok(Some(record)) => record,
        Ok(None) => return Ok(Cow::Borrowed(spec)),
        Err(StoreError::Stored { problem, .. }) => return Err(refuse(problem)),
        Err(error) => return Err(refuse(error.to_string())),
    };
    let mut pinned = spec.clone();
    // An optional file that the first fetch did not find stays absent.
    pinned.files.retain(|file| !file.optional || record.files.contains_key(&file.name));
    for file in &mut pinned.files {
        let pin = record.files.get(&file.name);
        let pin = pin.ok_or_else(|| refuse(format!("{} is not recorded", file.name)))?;
        file.size = Some(pin.size);
        file.sha256 = Some(pin.sha256.clone());
    }
    if let (Some(HubSpec { revision, .. }), Some(commit)) = (&mut pinned.hub, record.commit) {
        *revision = commit;
    }
    Ok(Cow::Owned(pinned))
}

/// Writes the record of a fetch into a folder. `digests` holds the SHA-256 of each file by name.
pub(crate) fn record(
    dir: &Path,
    commit: Option<&str>,
    digests: &BTreeMap<String, String>,
) -> Result<()> {
    let mut files = BTreeMap::new();
    for (name, sha256) in digests {
        let path = dir.join(name);
        let size = fs::metadata(&path).map_err(Error::io("read", path))?.len();
        let sha256 = sha256.clone();
        files.insert(name.clone(), Pin { size, sha256 });
    }
    let record = Record { commit: commit.map(str::to_owned), files };
    let path = dir.join(NAME);
    let written = serde_json::to_vec_pretty(&record)
        .map_err(|error| StoreError::stored(&path, error))
        .and_then(|payload| write_stored(&path, SCHEMA, VERSION, &payload));
    written.map_err(|error| match error {
        StoreError::Io { path, source } => Error::io("write", path)(source),
        error => Error::Registry { origin: path.display().to_string(), message: error.to_string() },
    })
}

/// The record in a file of this version or of version 1; `None` if the file does not exist.
fn load(path: &Path) -> Result<Option<Record>, StoreError> {
    match read_stored(path, SCHEMA, VERSION) {
        Ok(None) => Ok(None),
        Ok(Some(payload)) => serde_json::from_slice(&payload)
            .map(Some)
            .map_err(|error| StoreError::stored(path, error)),
        Err(error) => match fs::read(path).map(|bytes| serde_json::from_slice(&bytes)) {
            Ok(Ok(RecordV1 { schema, version: 1, record })) if schema == "fiel-first-use" => {
                Ok(Some(record))
            }
            _ => Err(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_records_are_read_and_other_versions_refused() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for version in [1, 2] {
            let path = data.join(format!("first-use-v{version}.json"));
            let record = load(&path).unwrap().unwrap();
            assert_eq!(record.commit.as_deref(), Some("c0ffee"));
            assert_eq!(record.files["config.json"].size, 3);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        write_stored(&path, SCHEMA, VERSION + 1, b"{}").unwrap();
        let error = load(&path).err().unwrap();
        let expected = "expected fiel.first-use version 2, found fiel.first-use version 3";
        assert!(error.to_string().contains(expected), "{error}");
        let damaged = fs::read(data.join("first-use-v2.json")).unwrap();
        fs::write(&path, &damaged[..damaged.len() - 1]).unwrap();
        assert!(load(&path).err().unwrap().to_string().contains("checksum"));
    }
}
