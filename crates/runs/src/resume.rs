//! Runs that were stopped before their last question.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::Write,
    path::{Path, PathBuf},
};

use fiel_record::{Manifest, QuestionRecord, TimingRecord, differences, one_line_of};
use fiel_store::{sha256_hex, write_atomic};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Error, RunFolder, Started,
    run::{folders, pick},
};

/// A run that was stopped before its last question.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfinished {
    /// Its folder.
    pub folder: RunFolder,
    /// Its manifest.
    pub started: Started,
    /// Number of complete records.
    pub done: usize,
}

/// All runs that can be resumed, oldest first. A missing folder has no runs.
///
/// # Errors
/// If the folder cannot be read.
pub fn unfinished_runs(runs: &Path) -> Result<Vec<Unfinished>, Error> {
    let mut out = Vec::new();
    for folder in folders(runs)? {
        // This program cannot resume a run whose manifest has another version.
        let Ok(Some(started)) = folder.started() else {
            continue;
        };
        let bytes = std::fs::read(folder.path.join(RECORDS)).unwrap_or_default();
        let done = bytes.iter().filter(|&&b| b == b'\n').count();
        if done < started.planned || !folder.path.join("summary.json").is_file() {
            out.push(Unfinished { folder, started, done });
        }
    }
    Ok(out)
}

/// Finds the run to resume: by id, or for `last` the newest unfinished run with the same key.
///
/// # Errors
/// If there is no such run, it is complete, or its manifest differs.
pub fn to_resume(
    runs: &Path,
    id: &str,
    manifest: &Manifest,
) -> Result<(RunFolder, Started), Error> {
    let error = |message: String| Err(Error::Run { path: runs.to_owned(), message });
    let mut unfinished = unfinished_runs(runs)?;
    if id == "last" {
        let same = |u: &Unfinished| u.started.manifest.key == manifest.key;
        if let Some(at) = unfinished.iter().rposition(same) {
            let found = unfinished.swap_remove(at);
            return Ok((found.folder, found.started));
        }
    }
    let ids: Vec<RunFolder> = unfinished.iter().map(|u| u.folder.clone()).collect();
    if ids.is_empty() {
        return error("there is nothing to resume: every run is complete. Omit --resume".into());
    }
    if id != "last" && RunFolder::find(runs, id).is_ok_and(|run| !ids.contains(&run)) {
        return error(format!("there is nothing to resume: run {id} is complete"));
    }
    let folder = pick(runs, &ids, id)?;
    let Some(Unfinished { started, .. }) = unfinished.into_iter().find(|u| u.folder == folder)
    else {
        return error(format!("there is no run `{id}`"));
    };
    if started.manifest.key != manifest.key {
        return error(format!(
            "cannot resume run {}: its settings differ: {}. Use its settings, or omit --resume",
            folder.id,
            one_line_of(&differences(&started.manifest, manifest))
        ));
    }
    Ok((folder, started))
}

const RECORDS: &str = "records.jsonl";
const TIMINGS: &str = "timings.jsonl";

/// What a resumed run already contains.
#[derive(Default)]
pub struct FinishedRecords {
    /// Records of its first questions.
    pub records: Vec<QuestionRecord>,
    /// Times of these questions.
    pub timings: Vec<TimingRecord>,
}

/// Appends to the files of a run after each question, so that a stopped run loses no record.
pub struct RunWriter {
    records: File,
    timings: File,
    path: PathBuf,
    written: Vec<u8>,
}

impl RunWriter {
    /// Opens the files of a run and returns their complete records; an incomplete last line is cut
    /// off. `questions`: ids of all questions in the order of the run.
    ///
    /// # Errors
    /// If a file cannot be read or written, another process writes the run, or a record is damaged
    /// or does not belong to `questions`.
    pub fn open(folder: &RunFolder, questions: &[&str]) -> Result<(Self, FinishedRecords), Error> {
        let open = |name: &str| {
            let path = folder.path.join(name);
            let file = OpenOptions::new().create(true).append(true).open(&path);
            file.map(|file| (file, path.clone())).map_err(|e| Error::io(&path, e))
        };
        let (records, records_path) = open(RECORDS)?;
        if let Err(TryLockError::WouldBlock) = records.try_lock() {
            return Err(Error::Run {
                path: folder.path.clone(),
                message: "another process is writing this run; wait until it ends".into(),
            });
        }
        let (timings, timings_path) = open(TIMINGS)?;
        let (lines, all) = whole_lines::<QuestionRecord>(&records_path)?;
        let (_, times) = whole_lines::<TimingRecord>(&timings_path)?;
        // A question is repeated if its times were not written.
        let done = all.len().min(times.len());
        for (at, (record, timing)) in all.iter().zip(&times).enumerate() {
            if questions.get(at) != Some(&record.id.as_str()) || timing.id != record.id {
                return Err(Error::Run {
                    path: records_path,
                    message: format!(
                        "line {}: unexpected question {}: the file was edited. Delete the run and \
                         start again",
                        at + 1,
                        record.id
                    ),
                });
            }
        }
        let written: Vec<u8> = lines[..done].concat();
        records.set_len(written.len() as u64).map_err(|e| Error::io(&records_path, e))?;
        let finished = FinishedRecords {
            records: all.into_iter().take(done).collect(),
            timings: times.into_iter().take(done).collect(),
        };
        let mut text = Vec::new();
        for timing in &finished.timings {
            text.extend(line(timing, &timings_path)?);
        }
        drop(timings);
        write_atomic(&timings_path, &text)?;
        let writer =
            Self { records, timings: open(TIMINGS)?.0, path: folder.path.clone(), written };
        Ok((writer, finished))
    }

    /// Appends the record and the times of a question.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn append(&mut self, record: &QuestionRecord, timing: &TimingRecord) -> Result<(), Error> {
        let (record, timing) = (line(record, &self.path)?, line(timing, &self.path)?);
        let failed = |e| Error::io(&self.path, e);
        self.records.write_all(&record).map_err(failed)?;
        self.timings.write_all(&timing).map_err(failed)?;
        self.written.extend_from_slice(&record);
        Ok(())
    }

    /// SHA-256 of all records of the run.
    pub fn digest(&self) -> String {
        sha256_hex(&self.written)
    }
}

fn line(value: &impl Serialize, path: &Path) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(value)
        .map_err(|e| Error::Run { path: path.to_owned(), message: e.to_string() })?;
    line.push(b'\n');
    Ok(line)
}

/// The lines of a file with their line ends, and their values. Leaves out an incomplete last line.
///
/// # Errors
/// If the file cannot be read or any other line cannot be parsed.
fn whole_lines<T: DeserializeOwned>(path: &Path) -> Result<(Vec<Vec<u8>>, Vec<T>), Error> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let (mut whole, mut values) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        let is_last = at + 1 == lines.len();
        match serde_json::from_slice(line) {
            Ok(value) if line.ends_with(b"\n") => {
                whole.push(line.to_vec());
                values.push(value);
            }
            _ if is_last => {}
            Err(e) => {
                return Err(Error::Run {
                    path: path.to_owned(),
                    message: format!("line {}: {e}. Delete the run and start again", at + 1),
                });
            }
            Ok(_) => {}
        }
    }
    Ok((whole, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str) -> QuestionRecord {
        QuestionRecord {
            id: id.into(),
            ..serde_json::from_str(
                r#"{"schema":"fiel.record/1","id":"","question":"Q?","lang":"en","split":"test",
                "tags":[],"unanswerable":false,"references":[],
                "retrieval":{"hits":[],"groups":0,"evidence":[],"measures":{}}}"#,
            )
            .expect("a record")
        }
    }

    fn timing(id: &str) -> TimingRecord {
        TimingRecord { id: id.into(), ..TimingRecord::default() }
    }

    fn folder(dir: &tempfile::TempDir) -> RunFolder {
        RunFolder { id: "r".into(), path: dir.path().to_owned() }
    }

    const QUESTIONS: [&str; 3] = ["a", "b", "c"];

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_kept() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let run = folder(&dir);
        let (mut writer, kept) = RunWriter::open(&run, &QUESTIONS).expect("new");
        assert!(kept.records.is_empty());
        for id in ["a", "b", "c"] {
            writer.append(&record(id), &timing(id)).expect("written");
        }
        let (whole, digest) =
            (std::fs::read(dir.path().join(RECORDS)).expect("read"), writer.digest());
        drop(writer);
        let first = whole.iter().position(|&b| b == b'\n').expect("a line") + 1;
        for cut in 0..=whole.len() {
            std::fs::write(dir.path().join(RECORDS), &whole[..cut]).expect("cut");
            let times: Vec<u8> = ["a", "b", "c"]
                .iter()
                .flat_map(|id| line(&timing(id), dir.path()).expect("line"))
                .collect();
            std::fs::write(dir.path().join(TIMINGS), times).expect("written");
            let (mut writer, kept) = RunWriter::open(&run, &QUESTIONS).expect("resumed");
            assert_eq!(kept.records.len(), cut / first, "cut at {cut}");
            for id in &QUESTIONS[kept.records.len()..] {
                writer.append(&record(id), &timing(id)).expect("written");
            }
            assert_eq!(std::fs::read(dir.path().join(RECORDS)).expect("read"), whole);
            assert_eq!(writer.digest(), digest);
        }
    }

    #[test]
    fn records_without_times_are_asked_again_and_foreign_ones_refused() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let run = folder(&dir);
        let (mut writer, _) = RunWriter::open(&run, &QUESTIONS).expect("new");
        writer.append(&record("a"), &timing("a")).expect("written");
        assert!(
            RunWriter::open(&run, &QUESTIONS)
                .err()
                .is_some_and(|e| e.to_string().contains("another process"))
        );
        drop(writer);
        std::fs::write(dir.path().join(TIMINGS), "").expect("emptied");
        let (writer, kept) = RunWriter::open(&run, &QUESTIONS).expect("resumed");
        assert!(kept.records.is_empty());
        drop(writer);

        let (mut writer, _) = RunWriter::open(&run, &QUESTIONS).expect("resumed");
        writer.append(&record("b"), &timing("b")).expect("written");
        drop(writer);
        let error = RunWriter::open(&run, &QUESTIONS).err().expect("foreign");
        assert!(error.to_string().contains("question b"), "{error}");

        std::fs::write(dir.path().join(RECORDS), "{\n{}\n").expect("damaged");
        let error = RunWriter::open(&run, &QUESTIONS).err().expect("damaged");
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}
