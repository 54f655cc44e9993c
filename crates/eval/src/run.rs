use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use fiel_corpus::{sha256_hex, write_atomic};
use fiel_report::{QuestionRecord, RECORD_SCHEMA, SUMMARY_SCHEMA, Summary, TimingRecord};

use crate::Error;

/// The folder of one run, `.fiel/runs/ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Name of the folder: start in UTC and the beginning of the run's key.
    pub id: String,
    /// Where it lies.
    pub path: PathBuf,
}

impl RunFolder {
    /// Makes the folder of a new run. Two runs of one second and key get different names.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(runs: &Path, stamp: &str, key: &str) -> Result<Self, Error> {
        std::fs::create_dir_all(runs).map_err(|e| Error::io(runs, e))?;
        let base = format!("{stamp}-{}", &key[..8.min(key.len())]);
        for attempt in 1.. {
            let id = if attempt == 1 {
                base.clone()
            } else {
                format!("{base}-{attempt}")
            };
            let path = runs.join(&id);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { id, path }),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io(&path, e)),
            }
        }
        Err(Error::Run {
            path: runs.to_owned(),
            message: "no free name for a run".into(),
        })
    }

    /// A run by its id, or the beginning of one, or `last`.
    ///
    /// # Errors
    /// When there is none or more than one.
    pub fn find(runs: &Path, id: &str) -> Result<Self, Error> {
        let all = list_runs(runs)?;
        let message = |message: String| Error::Run {
            path: runs.to_owned(),
            message,
        };
        let named: Vec<&Self> = match id {
            "last" => all.last().into_iter().collect(),
            id => match all.iter().find(|run| run.id == id) {
                Some(run) => vec![run],
                None => all.iter().filter(|run| run.id.starts_with(id)).collect(),
            },
        };
        match named[..] {
            [run] => Ok(run.clone()),
            [] => Err(message(format!(
                "there is no run `{id}`; there are {} runs",
                all.len()
            ))),
            _ => Err(message(format!(
                "`{id}` is the beginning of {} runs; write more of it",
                named.len()
            ))),
        }
    }

    /// The records of the run.
    ///
    /// # Errors
    /// When they cannot be read or do not match the checksum of the summary.
    pub fn records(&self) -> Result<Vec<QuestionRecord>, Error> {
        let path = self.path.join("records.jsonl");
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
        let bad = |message: String| Error::Run {
            path: path.clone(),
            message,
        };
        if sha256_hex(text.as_bytes()) != self.summary()?.records_sha256 {
            return Err(bad("it was changed since its summary was written".into()));
        }
        let mut records = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let record: QuestionRecord =
                serde_json::from_str(line).map_err(|e| bad(format!("line {}: {e}", at + 1)))?;
            if record.schema != RECORD_SCHEMA {
                return Err(bad(format!(
                    "line {}: expected {RECORD_SCHEMA}, found {}",
                    at + 1,
                    record.schema
                )));
            }
            records.push(record);
        }
        Ok(records)
    }

    /// The summary of the run.
    ///
    /// # Errors
    /// When it cannot be read or is of another version.
    pub fn summary(&self) -> Result<Summary, Error> {
        let path = self.path.join("summary.json");
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
        let bad = |message: String| Error::Run {
            path: path.clone(),
            message,
        };
        let schema = serde_json::from_str::<serde_json::Value>(&text)
            .map_err(|e| bad(e.to_string()))?
            .get("schema")
            .and_then(|s| s.as_str().map(str::to_owned))
            .unwrap_or_default();
        if schema != SUMMARY_SCHEMA {
            return Err(bad(format!(
                "expected {SUMMARY_SCHEMA}, found `{schema}`; run the evaluation again"
            )));
        }
        serde_json::from_str(&text).map_err(|e| bad(e.to_string()))
    }

    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<(), Error> {
        let path = self.path.join("summary.json");
        let mut text = serde_json::to_string_pretty(summary).map_err(|e| Error::Run {
            path: path.clone(),
            message: e.to_string(),
        })?;
        text.push('\n');
        Ok(write_atomic(&path, text.as_bytes())?)
    }
}

/// All runs of a folder that have a summary, oldest first.
///
/// # Errors
/// When the folder cannot be read; a missing one holds no runs.
pub fn list_runs(runs: &Path) -> Result<Vec<RunFolder>, Error> {
    let entries = match std::fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(runs, e)),
    };
    let mut out = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io(runs, e))?.path();
        if path.join("summary.json").is_file() {
            let id = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            out.push(RunFolder { id, path });
        }
    }
    out.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(out)
}

/// Appends lines to the files of a run as its questions are done, so that a run that is stopped
/// can be read as far as it came.
pub(crate) struct RunWriter {
    records: File,
    timings: File,
    path: PathBuf,
    written: Vec<u8>,
}

impl RunWriter {
    pub(crate) fn new(folder: &RunFolder) -> Result<Self, Error> {
        let open = |name: &str| {
            let path = folder.path.join(name);
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(&path)
                .map_err(|e| Error::io(&path, e))
        };
        Ok(Self {
            records: open("records.jsonl")?,
            timings: open("timings.jsonl")?,
            path: folder.path.clone(),
            written: Vec::new(),
        })
    }

    pub(crate) fn append(
        &mut self,
        record: &QuestionRecord,
        timing: &TimingRecord,
    ) -> Result<(), Error> {
        let bad = |e: serde_json::Error| Error::Run {
            path: self.path.clone(),
            message: e.to_string(),
        };
        let mut line = serde_json::to_vec(record).map_err(bad)?;
        line.push(b'\n');
        let mut times = serde_json::to_vec(timing).map_err(bad)?;
        times.push(b'\n');
        self.records
            .write_all(&line)
            .map_err(|e| Error::io(&self.path, e))?;
        self.timings
            .write_all(&times)
            .map_err(|e| Error::io(&self.path, e))?;
        self.written.extend_from_slice(&line);
        Ok(())
    }

    /// SHA-256 of the records written.
    pub(crate) fn digest(&self) -> String {
        sha256_hex(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_get_names_of_their_own_and_are_found_by_them() {
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
        assert_eq!(RunFolder::find(dir.path(), &a.id).expect("found"), a);
        assert!(
            RunFolder::find(dir.path(), "2026")
                .expect_err("two")
                .to_string()
                .contains("2 runs")
        );
        assert!(
            RunFolder::find(dir.path(), "x")
                .expect_err("none")
                .to_string()
                .contains("no run `x`")
        );
        assert!(
            a.summary()
                .expect_err("schema")
                .to_string()
                .contains("found ``")
        );
    }
}
