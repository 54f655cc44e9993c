//! Output of other systems, measured as Fiel measures its own and stored as a run.

mod answers;
mod system;
mod trec;

use std::{
    path::Path,
    time::{Instant, SystemTime},
};

use fiel_record::{JudgeSummary, Manifest, QuestionRecord, Target, TimingRecord};
use fiel_runs::{RunWriter, SummaryInput, latencies, summarize};

use crate::{Error, Finished, host, runner::stamp};
use fiel_runs::{PriceSettings, RunFolder};

pub use answers::{SystemAnswer, SystemOutput};
pub use system::{ScorePlan, ScoredSystem, score_answers};
pub use trec::{TrecPlan, TrecScored, score_trec};

/// A system that was scored, to be written as a run.
struct Stored<'a> {
    runs: &'a Path,
    manifest: Manifest,
    records: Vec<QuestionRecord>,
    /// Milliseconds that judging took, by record; none for any where nothing was judged.
    judge_ms: Vec<Option<f64>>,
    targets: &'a [Target],
    judge: Option<JudgeSummary>,
    splitter: Option<&'a str>,
    seed: u64,
    note: Option<&'a str>,
    /// When the work began.
    started: Instant,
}

fn store(stored: Stored<'_>) -> Result<Finished, Error> {
    let now = SystemTime::now();
    let Stored { runs, manifest, records, judge_ms, targets, judge, splitter, seed, note, started } =
        stored;
    let mut summary = summarize(&SummaryInput {
        manifest: &manifest,
        records: &records,
        planned: records.len(),
        targets,
        prices: &PriceSettings::default(),
        context_k: records.iter().map(|r| r.retrieval.hits.len()).max().unwrap_or(0),
        judge: judge.as_ref(),
        splitter,
        seed,
    })?;
    let folder = RunFolder::create(runs, &stamp(now), &manifest.key)?;
    folder.write_started(&manifest, records.len(), note)?;
    let ids: Vec<&str> = records.iter().map(|r| r.id.as_str()).collect();
    let (mut writer, _) = RunWriter::open(&folder, &ids)?;
    let mut timings = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let timing = TimingRecord {
            id: record.id.clone(),
            judge_ms: judge_ms.get(at).copied().flatten(),
            ..TimingRecord::default()
        };
        writer.append(record, &timing)?;
        timings.push(timing);
    }
    // Of the system itself no time is known.
    let (mut latency, _) = latencies(&timings);
    latency.retain(|stage, _| stage == "judge");
    summary.records_sha256 = writer.digest();
    summary.timing = fiel_record::Timing {
        run: folder.id.clone(),
        started: humantime::format_rfc3339_seconds(now).to_string(),
        seconds: started.elapsed().as_secs_f64(),
        threads: rayon::current_num_threads(),
        machine: host::machine(),
        git: host::git(),
        note: note.map(str::to_owned),
        latency,
        ..fiel_record::Timing::default()
    };
    folder.write_summary(&summary)?;
    Ok(Finished { summary, records, folder: folder.path })
}

/// What the run of another system is made of, before anything is judged.
fn manifest(gold: (&str, &str), kb: (&str, &str), system: (&str, &str)) -> Manifest {
    Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kb: kb.0.to_owned(),
        kb_sha256: kb.1.to_owned(),
        gold: gold.0.to_owned(),
        gold_sha256: gold.1.to_owned(),
        questions: "all".to_owned(),
        reader_sha256: Some(system.1.to_owned()),
        system: Some(system.0.to_owned()),
        ..Manifest::default()
    }
}

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
