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
    Baseline, CompareOptions, RunFolder, StoredRun, baseline_path, compare, compare_baseline, gate,
    with_diagnosis,
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
    let page = page(&runs, sources, seed);
    write_atomic(&path, html_page(&page, PageLang::En).as_bytes())?;
    Ok(path)
}

/// Compares several runs with the first of them, and a single run with the baseline.
pub fn page<'a>(runs: &'a [OnPage], sources: Sources<'a>, seed: u64) -> ReportPage<'a> {
    let mut notes = sources.notes;
    let options = CompareOptions { shown: &|_| true, force: true, seed };
    let mut out: Vec<PageRun<'_>> = Vec::new();
    for on_page in runs {
        let run = &on_page.run;
        let records = Cow::Borrowed(&run.records[..]);
        let mut shown = PageRun::new(Cow::Borrowed(&run.summary), records);
        match on_page.folder.diagnosis() {
            Ok(diagnosis) => shown.diagnosis = diagnosis,
            Err(error) => notes.push(error.to_string()),
        }
        if let Some(diagnosis) = &shown.diagnosis {
            with_diagnosis(shown.records.to_mut(), diagnosis);
            let classes = diagnosis.classes.iter();
            shown.summary.to_mut().classes = classes.map(|row| (row.class, row.wrong)).collect();
        }
        shown.label.clone_from(&on_page.label);
        shown.timings = on_page.folder.timings();
        if runs.len() == 1 {
            match sources.gold.map(baseline).transpose() {
                Ok(Some(Some(baseline))) => {
                    shown.comparison = compare_baseline(&baseline, run, seed).ok();
                    shown.gate = gate(run, Some(&baseline), false, seed).ok();
                }
                Ok(_) => {}
                Err(error) => notes.push(error.to_string()),
            }
        } else if !out.is_empty() {
            match compare(&runs[0].run, run, &options) {
                Ok(comparison) => shown.comparison = Some(comparison),
                Err(error) => notes.push(error.to_string()),
            }
        }
        out.push(shown);
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
