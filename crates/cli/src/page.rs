//! Collects the input of the HTML page of runs.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use anyhow::Result;
use fiel_eval::Finished;
use fiel_gold::Gold;
use fiel_reader::Pipeline;
use fiel_record::{EvalMode, Evidence, QuestionRecord};
use fiel_report::{ChunkTexts, PageLang, PageRun, ReportPage, html_page};
use fiel_runs::{
    Baseline, CompareOptions, GateOptions, RunFolder, StoredRun, apply_diagnosis, baseline_path,
    compare, compare_baseline, gate,
};
use fiel_store::write_atomic;

/// The number of hits per question whose texts are on the page; for further hits it has only the
/// ids.
const TEXTS: usize = 10;

/// A run on the page.
pub struct OnPage {
    pub label: Option<String>,
    pub run: StoredRun,
    pub folder: RunFolder,
}

impl OnPage {
    pub fn of(finished: &Finished) -> Self {
        Self {
            label: None,
            run: StoredRun { summary: finished.summary.clone(), records: finished.records.clone() },
            folder: RunFolder {
                id: finished.summary.timing.run.clone(),
                path: finished.folder.clone(),
            },
        }
    }
}

/// What the page shows in addition to the runs.
#[derive(Default)]
pub struct Sources<'a> {
    pub chunks: Vec<ChunkTexts>,
    pub evidence: BTreeMap<String, Cow<'a, [Evidence]>>,
    /// The gold set with the baseline that a single run is compared with.
    pub gold: Option<&'a Gold>,
    pub notes: Vec<String>,
}

/// Writes the English page of these runs into the folder of the last of them.
pub fn write_page(
    runs: Vec<OnPage>,
    sources: Sources<'_>,
    name: &str,
    seed: u64,
) -> Result<PathBuf> {
    let folder = runs.last().map(|run| run.folder.path.clone());
    let path = folder.unwrap_or_default().join(name);
    let page = page(runs, sources, seed);
    write_atomic(&path, html_page(&page, PageLang::En).as_bytes())?;
    Ok(path)
}

/// Compares several runs with the first of them, and a single run with the baseline. Classes of
/// wrong answers are those of the diagnosis of a run, if there is one.
pub fn page(runs: Vec<OnPage>, sources: Sources<'_>, seed: u64) -> ReportPage<'_> {
    let mut notes = sources.notes;
    let mut comparisons = vec![None; runs.len()];
    let mut gates = vec![None; runs.len()];
    if let [OnPage { run, .. }] = &runs[..] {
        match sources.gold.map(baseline).transpose() {
            Ok(Some(Some(baseline))) => {
                comparisons[0] = compare_baseline(&baseline, run, seed).ok();
                let options = GateOptions { seed, ..GateOptions::default() };
                gates[0] = gate(run, Some(&baseline), options).ok();
            }
            Ok(_) => {}
            Err(error) => notes.push(error.to_string()),
        }
    }
    let options = CompareOptions { shown: &|_| true, force: true, seed };
    for (at, on_page) in runs.iter().enumerate().skip(1) {
        match compare(&runs[0].run, &on_page.run, &options) {
            Ok(comparison) => comparisons[at] = Some(comparison),
            Err(error) => notes.push(error.to_string()),
        }
    }
    let mut out: Vec<PageRun<'_>> = Vec::new();
    for (OnPage { label, mut run, folder }, (comparison, gate)) in
        runs.into_iter().zip(comparisons.into_iter().zip(gates))
    {
        let diagnosis = folder.diagnosis().unwrap_or_else(|error| {
            notes.push(error.to_string());
            None
        });
        if let Some(diagnosis) = &diagnosis {
            apply_diagnosis(&mut run, diagnosis);
        }
        let (summary, records) = (Cow::Owned(run.summary), Cow::Owned(run.records));
        let timings = folder.timings();
        out.push(PageRun { label, summary, records, timings, comparison, gate, diagnosis });
    }
    let named: BTreeSet<&str> =
        out.iter().flat_map(|run| run.records.iter()).flat_map(named).collect();
    let mut chunks = sources.chunks;
    for set in &mut chunks {
        set.texts.retain(|id, _| named.contains(id.as_str()));
    }
    ReportPage {
        title: None,
        shown: out.len().saturating_sub(1),
        chunks,
        evidence: sources.evidence,
        notes,
        runs: out,
    }
}

fn baseline(gold: &Gold) -> Result<Option<Baseline>, fiel_runs::Error> {
    Baseline::load(&baseline_path(gold.path()))
}

/// The chunks of a question whose texts are on the page.
fn named(record: &QuestionRecord) -> impl Iterator<Item = &str> {
    let found = &record.retrieval;
    let hits = found.hits.iter().take(TEXTS).map(|hit| &hit.chunk);
    let reads = [EvalMode::Oracle, EvalMode::E2e].into_iter();
    let read = reads
        .filter_map(|mode| record.read(mode))
        .flat_map(|read| read.passages.iter().map(|passage| &passage.chunk));
    hits.chain(&found.evidence).chain(read).map(|id| id.as_str())
}

/// The passages of a pipeline as its reader gets them.
pub fn chunk_texts(pipeline: &Pipeline) -> ChunkTexts {
    let chunks = pipeline.retriever().chunks().iter();
    ChunkTexts {
        chunks_sha256: pipeline.chunks_digest(),
        texts: chunks.map(|c| (c.id.to_string(), c.passage())).collect(),
    }
}

/// The evidence of a gold set by question.
pub fn evidence(gold: &Gold) -> BTreeMap<String, Cow<'_, [Evidence]>> {
    let questions = gold.questions.iter();
    questions.map(|(_, q)| (q.id.to_string(), Cow::Borrowed(&q.evidence[..]))).collect()
}
