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

/// A run that was killed or stopped before its last question.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfinished {
    /// Where it lies.
    pub folder: RunFolder,
    /// What it was started with.
    pub started: Started,
    /// Questions whose records are whole.
    pub done: usize,
}

/// All runs that can be resumed, oldest first.
///
/// # Errors
/// When the folder cannot be read; a missing one holds no runs.
pub fn unfinished_runs(runs: &Path) -> Result<Vec<Unfinished>, Error> {
    let mut out = Vec::new();
    for folder in folders(runs)? {
        // A manifest of another version is of a run that this program cannot resume.
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

/// The run to go on with: the one named, or for `last` the newest unfinished one of this key.
pub fn to_resume(
    runs: &Path,
    id: &str,
    manifest: &Manifest,
) -> Result<(RunFolder, Started), Error> {
    let bad = |message: String| Error::Run { path: runs.to_owned(), message };
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
        return Err(bad(
            "no run is unfinished: there is nothing to resume; leave out --resume".into()
        ));
    }
    if id != "last" && RunFolder::find(runs, id).is_ok_and(|run| !ids.contains(&run)) {
        return Err(bad(format!("run {id} is complete: there is nothing to resume")));
    }
    let folder = pick(runs, &ids, id)?;
    let found = unfinished.into_iter().find(|u| u.folder == folder);
    let started = found.map(|u| u.started).ok_or_else(|| bad(format!("there is no run `{id}`")))?;
    if started.manifest.key != manifest.key {
        return Err(bad(format!(
            "run {} cannot be resumed, for it was of something else: {}. Use its settings, or \
             leave out --resume",
            folder.id,
            one_line_of(&differences(&started.manifest, manifest))
        )));
    }
    Ok((folder, started))
}

const RECORDS: &str = "records.jsonl";
const TIMINGS: &str = "timings.jsonl";

/// What a run that is resumed has already.
#[derive(Default)]
pub struct FinishedRecords {
    /// Records, in order.
    pub records: Vec<QuestionRecord>,
    /// Times of the same questions.
    pub timings: Vec<TimingRecord>,
}

/// Appends lines to the files of a run as its questions are done, so that a run that is stopped
/// can be read as far as it came.
pub struct RunWriter {
    records: File,
    timings: File,
    path: PathBuf,
    written: Vec<u8>,
}

impl RunWriter {
    /// Opens the files of a run. What they hold already is kept as far as it is whole and belongs
    /// to `questions`, ids in the order they are asked; a torn last line is cut off.
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
                message: "another process is writing this run; wait for it".into(),
            });
        }
        let (timings, timings_path) = open(TIMINGS)?;
        let (lines, all) = whole_lines::<QuestionRecord>(&records_path)?;
        let (_, times) = whole_lines::<TimingRecord>(&timings_path)?;
        // A record whose times were not written any more is asked again.
        let kept = all.len().min(times.len());
        for (at, (record, timing)) in all.iter().zip(&times).enumerate() {
            if questions.get(at) != Some(&record.id.as_str()) || timing.id != record.id {
                return Err(Error::Run {
                    path: records_path,
                    message: format!(
                        "line {}: question {} was not to be asked here; the file was changed. \
                         Delete the run and start anew",
                        at + 1,
                        record.id
                    ),
                });
            }
        }
        let written: Vec<u8> = lines[..kept].concat();
        records.set_len(written.len() as u64).map_err(|e| Error::io(&records_path, e))?;
        let kept = FinishedRecords {
            records: all.into_iter().take(kept).collect(),
            timings: times.into_iter().take(kept).collect(),
        };
        let mut text = Vec::new();
        for timing in &kept.timings {
            text.extend(line(timing, &timings_path)?);
        }
        drop(timings);
        write_atomic(&timings_path, &text)?;
        let writer =
            Self { records, timings: open(TIMINGS)?.0, path: folder.path.clone(), written };
        Ok((writer, kept))
    }

    /// Appends a question.
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

    /// SHA-256 of the records written.
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

/// The lines of a file, line ends included, and what they say. A last line that is torn is left
/// out; any other that cannot be read is an error.
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
                    message: format!("line {}: {e}. Delete the run and start anew", at + 1),
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
