//! Trust on first use: what a fetch found where the registry knows no SHA-256.
//!
//! The record lies beside the files it speaks of, so whoever deletes the folder has the model
//! fetched anew, and whoever copies the folder copies the record.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::spec::{HubSpec, ModelSpec};
use crate::{Error, Result};

/// Name of the record in the model's folder.
const NAME: &str = "first-use.json";
const SCHEMA: &str = "fiel-first-use";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Record {
    schema: String,
    version: u32,
    /// The hub's commit that the files are from; none when they came otherwise.
    commit: Option<String>,
    /// Every file by its name.
    files: BTreeMap<String, Seen>,
}

#[derive(Serialize, Deserialize)]
struct Seen {
    size: u64,
    sha256: String,
}

/// The entry with sizes, digests and commit as recorded in the folder, where it lacks them
/// itself and there is a record.
///
/// # Errors
/// [`Error::Registry`] when the record is damaged.
pub(crate) fn pinned<'a>(spec: &'a ModelSpec, dir: &Path) -> Result<Cow<'a, ModelSpec>> {
    if spec.is_pinned() {
        return Ok(Cow::Borrowed(spec));
    }
    let path = dir.join(NAME);
    let refuse = |message: String| Error::Registry {
        origin: path.display().to_string(),
        message: format!("{message}; delete the folder to fetch the model again"),
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
            return Ok(Cow::Borrowed(spec));
        }
        Err(error) => return Err(Error::io("read", path)(error)),
    };
    let record: Record =
        serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
    if record.schema != SCHEMA || record.version != VERSION {
        return Err(refuse(format!(
            "no record of version {VERSION} of what was found at first use"
        )));
    }
    let mut pinned = spec.clone();
    // An optional file that was not there then is not looked for now.
    pinned
        .files
        .retain(|file| !file.optional || record.files.contains_key(&file.name));
    for file in &mut pinned.files {
        let seen = record.files.get(&file.name);
        let seen = seen.ok_or_else(|| refuse(format!("{} is not recorded", file.name)))?;
        file.size = Some(seen.size);
        file.sha256 = Some(seen.sha256.clone());
    }
    if let (Some(HubSpec { revision, .. }), Some(commit)) = (&mut pinned.hub, record.commit) {
        *revision = commit;
    }
    Ok(Cow::Owned(pinned))
}

/// Writes the record of a fetch into a folder; `digests` are the names of its files with
/// their SHA-256.
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
        files.insert(name.clone(), Seen { size, sha256 });
    }
    let record = Record {
        schema: SCHEMA.to_owned(),
        version: VERSION,
        commit: commit.map(str::to_owned),
        files,
    };
    let path = dir.join(NAME);
    let bytes = serde_json::to_vec_pretty(&record).map_err(|error| Error::Registry {
        origin: path.display().to_string(),
        message: error.to_string(),
    })?;
    fs::write(&path, bytes).map_err(Error::io("write", path))
}
