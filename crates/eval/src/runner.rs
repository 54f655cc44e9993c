use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Instant, SystemTime},
};

use fiel_corpus::KnowledgeBase;
use fiel_reader::{Observer, Outcome, Pipeline, PipelineProgress, ReadRequest};
use fiel_record::{
    Manifest, QuestionRecord, RECORD_SCHEMA, ReadRecord, RetrievalRecord, Summary, TimingRecord,
};
use fiel_runs::{
    FinishedRecords, RunWriter, SummaryInput, latencies, latency_targets, summarize, to_resume,
};

use crate::{
    Error, EvalSettings, JudgeSettings, Judging, attribute, host,
    manifest::manifest,
    reading,
    retrieval::{self, Found},
};
use fiel_gold::{ResolvedGold, ResolvedQuestion, Selection};
use fiel_record::EvalMode;
use fiel_runs::{PriceSettings, RunFolder};

/// What is to be evaluated.
pub struct Plan<'a> {
    /// The documents.
    pub kb: &'a KnowledgeBase,
    /// The questions, anchored in them.
    pub gold: &'a ResolvedGold,
    /// Which of them.
    pub selection: &'a Selection,
    /// How.
    pub settings: &'a EvalSettings,
    /// By what answers are judged, as it was set.
    pub judge: &'a JudgeSettings,
    /// What reading costs.
    pub prices: &'a PriceSettings,
    /// The run to go on with: its id, or `last` for the newest unfinished one with this key.
    pub resume: Option<&'a str>,
    /// What the person who starts the run writes about it.
    pub note: Option<&'a str>,
    /// Folder for runs.
    pub runs: &'a Path,
    /// Set from outside to stop after the question at hand.
    pub stop: &'a AtomicBool,
    /// When the work began; the wall time of the run counts from here.
    pub started: Instant,
}

/// What an evaluation tells while it works.
pub enum EvalEvent<'a> {
    /// Questions searched for so far, and in all.
    Searched(usize, usize),
    /// Retrieval is measured for all questions.
    Retrieved(&'a Summary),
    /// The weights of the reader are being read.
    LoadingReader,
    /// Answers done so far, and in all.
    Answered(usize, usize),
}

/// What an evaluation leaves.
pub struct Finished {
    /// The figures.
    pub summary: Summary,
    /// A record a question.
    pub records: Vec<QuestionRecord>,
    /// Where both are stored.
    pub folder: PathBuf,
}

/// Evaluates a pipeline on a gold set and stores the run.
///
/// # Errors
/// When no question is chosen, the run cannot be written, or the one to go on with is of another
/// key. A question that fails is a record.
pub fn evaluate(
    plan: &Plan<'_>,
    pipeline: &Pipeline,
    judging: &mut Judging,
    on: &mut dyn FnMut(EvalEvent<'_>),
) -> Result<Finished, Error> {
    let started = SystemTime::now();
    let questions = plan.selection.choose(plan.gold)?;
    let manifest = manifest(plan, pipeline, judging)?;
    let judge = match reads_at_all(plan) {
        true => judging.summary(&plan.gold.gold.path())?,
        false => None,
    };
    let splitter = judging.splitter().map(str::to_owned);
    let (folder, note) = folder(plan, &manifest, started, questions.len())?;
    let ids: Vec<&str> = questions.iter().map(|q| q.question.id.as_str()).collect();
    let (mut writer, kept) = RunWriter::open(&folder, &ids)?;
    let rest = &questions[kept.records.len()..];
    let measures = retrieval::measures(pipeline.settings().retrieve.top_k)?;

    let mut work: Vec<(Found, TimingRecord)> = Vec::new();
    for question in rest {
        if plan.stop.load(Ordering::Relaxed) {
            break;
        }
        let mut timing =
            TimingRecord { id: question.question.id.clone(), ..TimingRecord::default() };
        work.push((
            retrieval::retrieve(pipeline, plan.kb, question, &measures, &mut timing)?,
            timing,
        ));
        on(EvalEvent::Searched(work.len(), rest.len()));
    }
    let context_k = pipeline.settings().read.context_k;
    let summary = |manifest: &Manifest, records: &[QuestionRecord]| {
        summarize(&SummaryInput {
            manifest,
            records,
            planned: questions.len(),
            targets: &plan.gold.gold.targets,
            prices: plan.prices,
            context_k,
            judge: judge.as_ref(),
            splitter: splitter.as_deref(),
            seed: plan.settings.seed,
        })
    };
    if plan.settings.modes.contains(&EvalMode::Retrieval) {
        let found = rest.iter().zip(&work);
        let mut records = kept.records.clone();
        records.extend(found.map(|(q, (found, _))| record(q, found)));
        let only = Manifest { modes: vec![EvalMode::Retrieval], ..manifest.clone() };
        on(EvalEvent::Retrieved(&summary(&only, &records)?));
    }

    // An answerable question without references (judged documents) is for retrieval alone.
    let reads = |mode, q: &ResolvedQuestion| {
        plan.settings.modes.contains(&mode)
            && match q.question.unanswerable {
                true => mode == EvalMode::E2e,
                false => !q.question.answers.is_empty(),
            }
    };
    let of: usize = questions
        .iter()
        .map(|q| usize::from(reads(EvalMode::Oracle, q)) + usize::from(reads(EvalMode::E2e, q)))
        .sum();
    let (cached, fresh) = answers_in(&kept);
    let mut answers = Answers { done: cached + fresh, of, cached, fresh, on };
    let FinishedRecords { mut records, mut timings } = kept;
    for (question, (found, mut timing)) in rest.iter().zip(work) {
        if of > 0 && plan.stop.load(Ordering::Relaxed) {
            break;
        }
        let mut record = record(question, &found);
        if reads(EvalMode::Oracle, question) {
            let (read, ms) = match &record.retrieval.error {
                Some(error) if plan.settings.distractors > 0 => (
                    (reading::failed(&question.question, format!("retrieval: {error}")), None),
                    None,
                ),
                _ => {
                    let chunks = oracle_chunks(question, &found, plan, pipeline);
                    answers.read(plan, pipeline, judging, question, &chunks, false)
                }
            };
            let read = judged(judging, question, read, &mut timing);
            (record.oracle, timing.oracle_ms) = (Some(read), ms);
        }
        if reads(EvalMode::E2e, question) {
            let (read, ms) = match &record.retrieval.error {
                Some(error) => (
                    (reading::failed(&question.question, format!("retrieval: {error}")), None),
                    None,
                ),
                None => match to_read(question, &found.chunks, pipeline) {
                    Ok(top) => answers.read(plan, pipeline, judging, question, &top, true),
                    Err(e) => {
                        let failed = reading::failed(&question.question, e.to_string());
                        ((failed, None), None)
                    }
                },
            };
            let read = judged(judging, question, read, &mut timing);
            (record.e2e, timing.e2e_ms) = (Some(read), ms);
        }
        (record.class, record.marks) = attribute::attribute(&record, context_k);
        writer.append(&record, &timing)?;
        records.push(record);
        timings.push(timing);
    }

    let (cached_answers, fresh_answers) = (answers.cached, answers.fresh);
    let mut summary = summary(&manifest, &records)?;
    summary.records_sha256 = writer.digest();
    let (latency, questions_per_second) = latencies(&timings);
    let targets = match plan.settings.modes.contains(&EvalMode::E2e) {
        true => latency_targets(&plan.gold.gold.latency, &latency),
        false => Vec::new(),
    };
    summary.timing = fiel_record::Timing {
        run: folder.id.clone(),
        started: humantime::format_rfc3339_seconds(started).to_string(),
        seconds: plan.started.elapsed().as_secs_f64(),
        threads: rayon::current_num_threads(),
        machine: host::machine(),
        latency,
        targets,
        cached_answers,
        fresh_answers,
        questions_per_second,
        peak_memory: host::peak_memory(),
        git: host::git(),
        note,
    };
    folder.write_summary(&summary)?;
    Ok(Finished { summary, records, folder: folder.path })
}

fn reads_at_all(plan: &Plan<'_>) -> bool {
    let mut modes = plan.settings.modes.iter();
    modes.any(|mode| *mode != EvalMode::Retrieval)
}

/// An answer with what the judge makes of it; the time is added to that of the question.
fn judged(
    judging: &mut Judging,
    question: &ResolvedQuestion,
    (mut record, outcome): (ReadRecord, Option<Outcome>),
    timing: &mut TimingRecord,
) -> ReadRecord {
    let ms = judging.judge(&question.question, outcome.as_ref(), &mut record);
    if let Some(ms) = ms {
        timing.judge_ms = Some(timing.judge_ms.unwrap_or_default() + ms);
    }
    record
}

/// The folder of a new run, or of the one to go on with, and its note.
fn folder(
    plan: &Plan<'_>,
    manifest: &Manifest,
    now: SystemTime,
    planned: usize,
) -> Result<(RunFolder, Option<String>), Error> {
    let note = plan.note.map(str::to_owned);
    if let Some(id) = plan.resume {
        let (folder, started) = to_resume(plan.runs, id, manifest)?;
        return Ok((folder, note.or(started.note)));
    }
    let folder = RunFolder::create(plan.runs, &stamp(now), &manifest.key)?;
    folder.write_started(manifest, planned, plan.note)?;
    Ok((folder, note))
}

/// Answers of the records kept that came from the cache, and those that were made: only these
/// have a time.
fn answers_in(kept: &FinishedRecords) -> (usize, usize) {
    let (mut cached, mut fresh) = (0, 0);
    for (record, timing) in kept.records.iter().zip(&kept.timings) {
        let reads = [(&record.oracle, timing.oracle_ms), (&record.e2e, timing.e2e_ms)];
        for (read, ms) in reads {
            if read.as_ref().is_some_and(|read| read.error.is_none()) {
                *(if ms.is_some() { &mut fresh } else { &mut cached }) += 1;
            }
        }
    }
    (cached, fresh)
}

/// Counts the answers of a run.
struct Answers<'a> {
    done: usize,
    of: usize,
    cached: usize,
    fresh: usize,
    on: &'a mut dyn FnMut(EvalEvent<'_>),
}

impl Answers<'_> {
    /// One answer and its time in milliseconds, unless it came from the cache. `guarded`: whether
    /// the guard is asked first.
    fn read(
        &mut self,
        plan: &Plan<'_>,
        pipeline: &Pipeline,
        judging: &mut Judging,
        question: &ResolvedQuestion,
        chunks: &[usize],
        guarded: bool,
    ) -> ((ReadRecord, Option<Outcome>), Option<f64>) {
        let question = &question.question;
        let on = &mut self.on;
        let mut progress = |p| {
            if p == PipelineProgress::LoadingReader {
                on(EvalEvent::LoadingReader);
            }
        };
        let request = ReadRequest::new(&question.question, chunks, question.lang);
        let mut observer = Observer::of_progress(&mut progress);
        let read = if guarded {
            pipeline.read_guarded(&request, &mut observer)
        } else {
            pipeline.read(&request, &mut observer)
        };
        self.done += 1;
        (self.on)(EvalEvent::Answered(self.done, self.of));
        match read {
            Err(error) => ((reading::failed(question, error.to_string()), None), None),
            Ok(outcome) => {
                *(if outcome.cached { &mut self.cached } else { &mut self.fresh }) += 1;
                let ms = (!outcome.cached).then_some(outcome.time.as_secs_f64() * 1000.0);
                let guard = pipeline.settings().read.guard;
                let mut record = reading::record(question, &outcome, judging.cutter(), guard);
                // Where the guard answers, no draw is made.
                let further = if outcome.guarded { 1 } else { plan.settings.repeat };
                for draw in 1..further as u64 {
                    let request = ReadRequest { draw, use_cache: false, ..request };
                    match pipeline.read(&request, &mut Observer::default()) {
                        Ok(again) => record.repeats.push(reading::repeat(question, &again)),
                        Err(error) => {
                            let failed = reading::failed(question, error.to_string());
                            return ((failed, None), None);
                        }
                    }
                }
                ((record, Some(outcome)), ms)
            }
        }
    }
}

fn record(question: &ResolvedQuestion, found: &Found) -> QuestionRecord {
    QuestionRecord { retrieval: found.record.clone(), ..blank_record(question) }
}

/// The record of a question before anything was found or answered.
pub(crate) fn blank_record(question: &ResolvedQuestion) -> QuestionRecord {
    let q = &question.question;
    QuestionRecord {
        schema: RECORD_SCHEMA.to_owned(),
        id: q.id.clone(),
        question: q.question.clone(),
        lang: q.lang,
        split: q.split,
        tags: q.tags.clone(),
        unanswerable: q.unanswerable,
        references: q.answers.clone(),
        retrieval: RetrievalRecord::default(),
        oracle: None,
        e2e: None,
        class: None,
        marks: Vec::new(),
    }
}

/// What is read end to end: the first `read.context_k` found, or of the documents that the
/// question brings with it as many chunks, the nearest.
pub(crate) fn to_read(
    question: &ResolvedQuestion,
    found: &[usize],
    pipeline: &Pipeline,
) -> Result<Vec<usize>, fiel_reader::Error> {
    let mut chunks = match question.question.context.is_empty() {
        true => found.to_vec(),
        false => {
            let given = question.given_chunks(pipeline.retriever().chunks());
            pipeline.nearest(&question.question.question, given)?
        }
    };
    chunks.truncate(pipeline.settings().read.context_k);
    Ok(chunks)
}

/// The evidence, then the best other chunks as distractors.
fn oracle_chunks(
    question: &ResolvedQuestion,
    found: &Found,
    plan: &Plan<'_>,
    pipeline: &Pipeline,
) -> Vec<usize> {
    let all = pipeline.retriever().chunks();
    let mut chunks = question.evidence_chunks(all, plan.kb);
    let others = found.chunks.iter().filter(|&&at| question.found_by(&all[at], plan.kb).is_empty());
    chunks.extend(others.take(plan.settings.distractors));
    chunks
}

/// `20260131-235959.123456`, UTC: so fine that names sort by the order of the runs.
pub(crate) fn stamp(time: SystemTime) -> String {
    let text = humantime::format_rfc3339_micros(time).to_string();
    text.replace(['-', ':', 'Z'], "").replace('T', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_sorts_by_time() {
        assert_eq!(stamp(SystemTime::UNIX_EPOCH), "19700101-000000.000000");
    }

    use fiel_record::{DEEP_MEASURES, RANKING_MEASURES};

    #[test]
    fn every_measure_of_retrieval_has_its_canonical_name() {
        let names = |top_k| -> Vec<String> {
            let measures = retrieval::measures(top_k).expect("names");
            measures.iter().map(ToString::to_string).collect()
        };
        assert_eq!(names(99), RANKING_MEASURES);
        assert_eq!(names(100)[RANKING_MEASURES.len()..], DEEP_MEASURES);
    }
}
