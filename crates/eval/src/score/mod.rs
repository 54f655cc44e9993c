//! Scores for the output of other systems, stored as runs.

mod answers;
mod system;
mod trec;

use std::{
    path::Path,
    time::{Instant, SystemTime},
};

use fiel_record::{JudgeSummary, Manifest, QuestionRecord, Target, TimingRecord};
use fiel_runs::{PriceSettings, RunFolder, RunWriter, SummaryInput, latencies, summarize};

pub use answers::{SystemAnswer, SystemContext, SystemOutput};
pub use system::{ScorePlan, ScoredSystem, score_answers};
pub use trec::{TrecPlan, TrecScored, score_trec};

use crate::{Error, Finished, host, runner::stamp};

/// A scored system, to be stored as a run.
struct Stored<'a> {
    runs: &'a Path,
    manifest: Manifest,
    records: Vec<QuestionRecord>,
    /// Milliseconds of judging by record; may be shorter than `records`.
    judge_ms: Vec<Option<f64>>,
    targets: &'a [Target],
    judge: Option<JudgeSummary>,
    splitter: Option<&'a str>,
    seed: u64,
    note: Option<&'a str>,
    /// The wall time of the run counts from here.
    started: Instant,
}

fn store(stored: Stored<'_>) -> Result<Finished, Error> {
    let now = SystemTime::now();
    let Stored { manifest, records, .. } = stored;
    let mut summary = summarize(&SummaryInput {
        manifest: &manifest,
        records: &records,
        planned: records.len(),
        targets: stored.targets,
        prices: &PriceSettings::default(),
        context_k: records.iter().map(|r| r.retrieval.hits.len()).max().unwrap_or(0),
        judge: stored.judge.as_ref(),
        splitter: stored.splitter,
        seed: stored.seed,
    })?;
    let folder = RunFolder::create(stored.runs, &stamp(now), &manifest.key)?;
    folder.write_started(&manifest, records.len(), stored.note, false)?;
    let ids: Vec<&str> = records.iter().map(|r| r.id.as_str()).collect();
    let (mut writer, _) = RunWriter::open(&folder, &ids)?;
    let mut timings = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let judge_ms = stored.judge_ms.get(at).copied().flatten();
        let timing = TimingRecord { id: record.id.clone(), judge_ms, ..TimingRecord::default() };
        writer.append(record, &timing)?;
        timings.push(timing);
    }
    // The times of the system itself are unknown.
    let (mut latency, _) = latencies(&timings);
    latency.retain(|stage, _| stage == "judge");
    summary.records_sha256 = writer.digest();
    let note = stored.note.map(str::to_owned);
    summary.timing =
        fiel_record::Timing { latency, ..host::timing(&folder.id, now, stored.started, note) };
    folder.write_summary(&summary)?;
    Ok(Finished { summary, records, folder: folder.path })
}

/// The part of a manifest that names another system: its file and the SHA-256 of it.
fn manifest(system: String, sha256: String) -> Manifest {
    Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        reader_sha256: Some(sha256),
        system: Some(system),
        ..Manifest::default()
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
