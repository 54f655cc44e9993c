//! Folders of runs.

use std::path::{Path, PathBuf};

use fiel_record::{Manifest, QuestionRecord, RECORD_SCHEMA, SUMMARY_SCHEMA, Summary, TimingRecord};
use fiel_store::{
    json_lines, read_json_lines, read_optional_text, read_text, sha256_hex, write_atomic,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Error;

/// Name and version of `manifest.json`.
const STARTED_SCHEMA: &str = "fiel.started/1";

/// `manifest.json`, written before the first question: what `fiel eval --resume` needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    schema: String,
    /// Number of questions of the whole run.
    pub planned: usize,
    /// The note given when the run started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the run is a variant of an ablation, which `last` skips.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_variant: bool,
    /// The inputs of the run.
    pub manifest: Manifest,
}

/// The folder of one run, `.fiel/runs/ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Name of the folder: start in UTC and the first 8 digits of the key.
    pub id: String,
    /// Path of the folder.
    pub path: PathBuf,
}

impl RunFolder {
    /// Creates the folder of a new run. Runs with the same `stamp` (start in UTC, with microseconds)
    /// and the same key get different names.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn create(runs: &Path, stamp: &str, key: &str) -> Result<Self, Error> {
        std::fs::create_dir_all(runs).map_err(|e| Error::io(runs, e))?;
        let base = format!("{stamp}-{}", &key[..8.min(key.len())]);
        for attempt in 1.. {
            let id = if attempt == 1 { base.clone() } else { format!("{base}-{attempt}") };
            let path = runs.join(&id);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { id, path }),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io(&path, e)),
            }
        }
        Err(Error::Run { path: runs.to_owned(), message: "no free name for a run".into() })
    }

    /// Finds a run by its id, a unique prefix of the id, or `last`.
    ///
    /// # Errors
    /// If no run or more than one matches.
    pub fn find(runs: &Path, id: &str) -> Result<Self, Error> {
        pick(runs, &list_runs(runs)?, id)
    }

    /// Reads the records of the run.
    ///
    /// # Errors
    /// If the file cannot be read or does not match the checksum of the summary.
    pub fn records(&self) -> Result<Vec<QuestionRecord>, Error> {
        let path = self.path.join("records.jsonl");
        let text = read_text(&path)?;
        let error = |message: String| Error::Run { path: path.clone(), message };
        if sha256_hex(text.as_bytes()) != self.summary()?.records_sha256 {
            return Err(error("the file changed after its summary was written".into()));
        }
        let mut records = Vec::new();
        for (line, record) in json_lines::<QuestionRecord>(&text) {
            let record = record.map_err(|e| error(format!("line {line}: {e}")))?;
            if record.schema != RECORD_SCHEMA {
                return Err(error(format!(
                    "line {line}: expected {RECORD_SCHEMA}, found {}",
                    record.schema
                )));
            }
            records.push(record);
        }
        Ok(records)
    }

    /// Reads the times of the questions. Skips a missing file and lines that cannot be read, because
    /// no measure depends on times.
    pub fn timings(&self) -> Vec<TimingRecord> {
        let lines = read_json_lines(&self.path.join("timings.jsonl")).unwrap_or_default();
        lines.into_iter().filter_map(|(_, time)| time.ok()).collect()
    }

    /// Reads `manifest.json`. Returns `None` if the folder has none.
    ///
    /// # Errors
    /// If the file cannot be read or has another version.
    pub fn started(&self) -> Result<Option<Started>, Error> {
        let path = self.path.join("manifest.json");
        let Some(text) = read_optional_text(&path)? else {
            return Ok(None);
        };
        versioned(&text, STARTED_SCHEMA).map(Some).map_err(|message| Error::Run { path, message })
    }

    /// Writes `manifest.json` before the first question.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_started(
        &self,
        manifest: &Manifest,
        planned: usize,
        note: Option<&str>,
        is_variant: bool,
    ) -> Result<(), Error> {
        let started = Started {
            schema: STARTED_SCHEMA.to_owned(),
            planned,
            note: note.map(str::to_owned),
            is_variant,
            manifest: manifest.clone(),
        };
        self.write_json("manifest.json", &started)
    }

    /// Whether the run is a variant of an ablation.
    fn is_variant(&self) -> bool {
        let text = read_text(&self.path.join("manifest.json")).unwrap_or_default();
        versioned(&text, STARTED_SCHEMA).is_ok_and(|started: Started| started.is_variant)
    }

    /// Reads `summary.json`.
    ///
    /// # Errors
    /// If the file cannot be read or has another version.
    pub fn summary(&self) -> Result<Summary, Error> {
        let path = self.path.join("summary.json");
        versioned(&read_text(&path)?, SUMMARY_SCHEMA).map_err(|problem| Error::Run {
            path,
            message: format!("{problem}; run the evaluation again"),
        })
    }

    /// Writes `summary.json`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_summary(&self, summary: &Summary) -> Result<(), Error> {
        self.write_json("summary.json", summary)
    }

    /// Writes a JSON file of the run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Error> {
        let path = self.path.join(name);
        let mut text = serde_json::to_string_pretty(value)
            .map_err(|e| Error::Run { path: path.clone(), message: e.to_string() })?;
        text.push('\n');
        Ok(write_atomic(&path, text.as_bytes())?)
    }
}

/// Parses a JSON object with this name and version in `schema`.
pub(crate) fn versioned<T: DeserializeOwned>(text: &str, schema: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct SchemaName {
        #[serde(default)]
        schema: String,
    }
    let SchemaName { schema: found } = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if found != schema {
        return Err(format!("expected {schema}, found `{found}`"));
    }
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Finds a run by its id, a unique prefix of the id, or `last`, the newest that is no variant of an
/// ablation.
pub(crate) fn pick(runs: &Path, all: &[RunFolder], id: &str) -> Result<RunFolder, Error> {
    let error = |message: String| Err(Error::Run { path: runs.to_owned(), message });
    let named: Vec<&RunFolder> = match id {
        "last" => all.iter().rev().find(|run| !run.is_variant()).into_iter().collect(),
        id => match all.iter().find(|run| run.id == id) {
            Some(run) => vec![run],
            None => all.iter().filter(|run| run.id.starts_with(id)).collect(),
        },
    };
    match named[..] {
        [run] => Ok(run.clone()),
        [] if runs.join(id).join("records.jsonl").is_file() => error(format!(
            "run `{id}` is unfinished; finish it with `fiel eval --resume {id}` and its settings"
        )),
        [] => error(format!(
            "there is no run `{id}`; `fiel runs` lists the {} stored runs",
            all.len()
        )),
        _ => error(format!("`{id}` matches {} runs; write more of the id", named.len())),
    }
}

/// All finished runs of a folder, those with a summary, oldest first. A missing folder has no runs.
///
/// # Errors
/// If the folder cannot be read.
pub fn list_runs(runs: &Path) -> Result<Vec<RunFolder>, Error> {
    let mut all = folders(runs)?;
    all.retain(|run| run.path.join("summary.json").is_file());
    Ok(all)
}

/// All folders that may contain a run, by name.
pub(crate) fn folders(runs: &Path) -> Result<Vec<RunFolder>, Error> {
    let entries = match std::fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(runs, e)),
    };
    let mut out = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io(runs, e))?.path();
        if path.is_dir() {
            let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            out.push(RunFolder { id, path });
        }
    }
    out.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_get_unique_names_and_are_found_by_them() {
        let dir = tempfile::tempdir().expect("temporary folder");
        assert_eq!(list_runs(&dir.path().join("none")).expect("empty"), []);
        let a = RunFolder::create(dir.path(), "20260101-000000", "0123456789").expect("made");
        let b = RunFolder::create(dir.path(), "20260101-000000", "0123456789").expect("made");
        assert_eq!(
            (a.id.as_str(), b.id.as_str()),
            ("20260101-000000-01234567", "20260101-000000-01234567-2")
        );
        for run in [&a, &b] {
            std::fs::write(run.path.join("summary.json"), "{}").expect("written");
        }
        assert_eq!(RunFolder::find(dir.path(), "last").expect("found"), b);
        b.write_started(&Manifest::default(), 1, None, true).expect("written");
        assert_eq!(RunFolder::find(dir.path(), "last").expect("found"), a);
        b.write_started(&Manifest::default(), 1, None, false).expect("written");
        assert_eq!(RunFolder::find(dir.path(), &a.id).expect("found"), a);
        assert!(
            RunFolder::find(dir.path(), "2026").expect_err("two").to_string().contains("2 runs")
        );
        assert!(
            RunFolder::find(dir.path(), "x").expect_err("none").to_string().contains("no run `x`")
        );
        assert!(a.summary().expect_err("schema").to_string().contains("found ``"));
    }
}
