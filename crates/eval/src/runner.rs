//! The runner: retrieves, reads, judges and stores one record per question.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Instant, SystemTime},
};

use fiel_corpus::KnowledgeBase;
use fiel_gold::{Question, ResolvedGold, ResolvedQuestion, Selection};
use fiel_reader::{Observer, Outcome, Pipeline, PipelineProgress, ReadRequest};
use fiel_record::{
    EvalMode, Manifest, QuestionRecord, RECORD_SCHEMA, ReadRecord, RetrievalRecord, Summary,
    TimingRecord,
};
use fiel_runs::{
    FinishedRecords, PriceSettings, RunFolder, RunWriter, SummaryInput, latencies, latency_targets,
    summarize, to_resume,
};

use crate::{
    Error, EvalSettings, JudgeSettings, Judging,
    diagnose::{EvidencePlace, classify},
    host,
    manifest::manifest,
    reading,
    retrieval::{self, Found},
};

/// The input of an evaluation.
pub struct Plan<'a> {
    /// The documents.
    pub kb: &'a KnowledgeBase,
    /// The questions, with their evidence located in the documents.
    pub gold: &'a ResolvedGold,
    /// The questions to ask.
    pub selection: &'a Selection,
    /// Settings of the evaluation.
    pub settings: &'a EvalSettings,
    /// Settings of the judge, for the manifest.
    pub judge: &'a JudgeSettings,
    /// Prices of tokens.
    pub prices: &'a PriceSettings,
    /// The run to resume: its id, or `last` for the newest unfinished run with the same key.
    pub resume: Option<&'a str>,
    /// Note about the run.
    pub note: Option<&'a str>,
    /// Whether the run is a variant of an ablation.
    pub is_variant: bool,
    /// Folder of the runs.
    pub runs: &'a Path,
    /// Stops the evaluation after the current question when set.
    pub stop: &'a AtomicBool,
    /// The wall time of the run counts from here.
    pub started: Instant,
}

impl Plan<'_> {
    /// Whether any mode reads answers.
    pub(crate) fn reads(&self) -> bool {
        self.settings.modes.iter().any(|mode| *mode != EvalMode::Retrieval)
    }

    /// Whether a question is read in a mode. Unanswerable questions are read end to end only;
    /// answerable questions without references (judged documents) measure retrieval only.
    fn reads_question(&self, mode: EvalMode, question: &Question) -> bool {
        self.settings.modes.contains(&mode)
            && if question.unanswerable {
                mode == EvalMode::E2e
            } else {
                !question.answers.is_empty()
            }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Progress of an evaluation.
pub enum EvalEvent<'a> {
    /// Number of questions searched so far, and in total.
    Searched(usize, usize),
    /// Retrieval is measured for all questions.
    Retrieved(&'a Summary),
    /// The weights of the reader are being loaded.
    LoadingReader,
    /// Number of answers so far, and in total.
    Answered(usize, usize),
}

/// A finished evaluation.
pub struct Finished {
    /// The summary.
    pub summary: Summary,
    /// One record per question.
    pub records: Vec<QuestionRecord>,
    /// Folder of the run.
    pub folder: PathBuf,
}

/// Evaluates a pipeline on a gold set and stores the run. A question that fails is recorded.
///
/// # Errors
/// If no question is selected, the run cannot be written, or the run to resume has another key.
pub fn evaluate(
    plan: &Plan<'_>,
    pipeline: &Pipeline,
    judging: &mut Judging,
    on: &mut dyn FnMut(EvalEvent<'_>),
) -> Result<Finished, Error> {
    let started = SystemTime::now();
    let questions = plan.selection.choose(plan.gold)?;
    let manifest = manifest(plan, pipeline, judging)?;
    let judge = if plan.reads() { judging.summary(plan.gold.gold.path())? } else { None };
    let splitter = judging.splitter().map(str::to_owned);
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

    let (folder, note) = run_folder(plan, &manifest, started, questions.len())?;
    let ids: Vec<&str> = questions.iter().map(|q| q.question.id.as_str()).collect();
    let (mut writer, finished) = RunWriter::open(&folder, &ids)?;
    let rest = &questions[finished.records.len()..];
    let reads = questions.iter().flat_map(|q| EvalMode::READING.map(|mode| (mode, &q.question)));
    let planned = reads.filter(|(mode, question)| plan.reads_question(*mode, question)).count();
    let counts = AnswerCounts::of(&finished);
    let done = counts.cached + counts.fresh;
    let mut runner = Runner { plan, pipeline, judging, on, planned, done, counts };
    let found = runner.retrieve(rest)?;
    let FinishedRecords { mut records, mut timings } = finished;
    if plan.settings.modes.contains(&EvalMode::Retrieval) {
        let retrieved = rest.iter().zip(&found);
        let retrieved = retrieved.map(|(q, found)| record(&q.question, found.record.clone()));
        let records: Vec<QuestionRecord> = records.iter().cloned().chain(retrieved).collect();
        let manifest = Manifest { modes: vec![EvalMode::Retrieval], ..manifest.clone() };
        (runner.on)(EvalEvent::Retrieved(&summary(&manifest, &records)?));
    }
    for (question, found) in rest.iter().zip(found) {
        if planned > 0 && plan.is_stopped() {
            break;
        }
        let (mut record, timing) = runner.read(question, found);
        let base = (pipeline.retriever().chunks(), plan.kb);
        let place = EvidencePlace::of(question, &record, base, context_k);
        (record.class, record.marks) = classify(&record, place);
        writer.append(&record, &timing)?;
        records.push(record);
        timings.push(timing);
    }

    let counts = runner.counts;
    let mut summary = summary(&manifest, &records)?;
    summary.records_sha256 = writer.digest();
    let (latency, questions_per_second) = latencies(&timings);
    summary.timing = fiel_record::Timing {
        targets: if plan.settings.modes.contains(&EvalMode::E2e) {
            latency_targets(&plan.gold.gold.latency, &latency)
        } else {
            Vec::new()
        },
        latency,
        cached_answers: counts.cached,
        fresh_answers: counts.fresh,
        questions_per_second,
        peak_memory: host::peak_memory(),
        ..host::timing(&folder.id, started, plan.started, note)
    };
    folder.write_summary(&summary)?;
    Ok(Finished { summary, records, folder: folder.path })
}

/// The folder and the note of a new run, or of the run to resume.
fn run_folder(
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
    folder.write_started(manifest, planned, plan.note, plan.is_variant)?;
    Ok((folder, note))
}

/// Number of answers by origin.
#[derive(Clone, Copy, Default)]
struct AnswerCounts {
    cached: usize,
    fresh: usize,
}

impl AnswerCounts {
    /// The answers of the finished records of a run. Only fresh answers have a time.
    fn of(finished: &FinishedRecords) -> Self {
        let mut counts = Self::default();
        for (record, timing) in finished.records.iter().zip(&finished.timings) {
            for (read, ms) in [(&record.oracle, timing.oracle_ms), (&record.e2e, timing.e2e_ms)] {
                if read.as_ref().is_some_and(|read| read.error.is_none()) {
                    counts.add(ms.is_none());
                }
            }
        }
        counts
    }

    fn add(&mut self, cached: bool) {
        if cached {
            self.cached += 1;
        } else {
            self.fresh += 1;
        }
    }
}

struct Runner<'a> {
    plan: &'a Plan<'a>,
    pipeline: &'a Pipeline,
    judging: &'a mut Judging,
    on: &'a mut dyn FnMut(EvalEvent<'_>),
    /// Number of answers of the run, resumed ones included.
    planned: usize,
    /// Number of answers so far.
    done: usize,
    counts: AnswerCounts,
}

impl Runner<'_> {
    /// Retrieves for each question, up to the one where the evaluation is stopped.
    fn retrieve(&mut self, questions: &[&ResolvedQuestion]) -> Result<Vec<Found>, Error> {
        let measures = retrieval::measures(self.pipeline.settings().retrieve.top_k);
        let mut found = Vec::new();
        for question in questions {
            if self.plan.is_stopped() {
                break;
            }
            found.push(retrieval::retrieve(self.pipeline, self.plan.kb, question, &measures)?);
            (self.on)(EvalEvent::Searched(found.len(), questions.len()));
        }
        Ok(found)
    }

    /// Reads and judges the answers to a question, in each mode.
    fn read(
        &mut self,
        resolved: &ResolvedQuestion,
        found: Found,
    ) -> (QuestionRecord, TimingRecord) {
        let Found { record: retrieval, chunks, mut timing } = found;
        let error = retrieval.error.as_ref().map(|error| format!("retrieval: {error}"));
        let question = &resolved.question;
        let mut record = record(question, retrieval);
        if self.plan.reads_question(EvalMode::Oracle, question) {
            let context = match &error {
                // Without distractors the oracle context does not depend on retrieval.
                Some(error) if self.plan.settings.distractors > 0 => Err(error.clone()),
                _ => Ok(self.oracle_chunks(resolved, &chunks)),
            };
            let (answer, ms) = self.judged(question, context, false, &mut timing);
            (record.oracle, timing.oracle_ms) = (Some(answer), ms);
        }
        if self.plan.reads_question(EvalMode::E2e, question) {
            let context = error.map_or_else(
                || to_read(resolved, &chunks, self.pipeline).map_err(|e| e.to_string()),
                Err,
            );
            let (answer, ms) = self.judged(question, context, true, &mut timing);
            (record.e2e, timing.e2e_ms) = (Some(answer), ms);
        }
        (record, timing)
    }

    /// The judged answer from chunks, or from none because of an error. Also returns the milliseconds
    /// of reading, unless the answer is cached or failed, and adds those of judging to `timing`.
    fn judged(
        &mut self,
        question: &Question,
        context: Result<Vec<usize>, String>,
        guarded: bool,
        timing: &mut TimingRecord,
    ) -> (ReadRecord, Option<f64>) {
        let answer = context.and_then(|chunks| self.answer(question, &chunks, guarded));
        let (mut record, outcome) = match answer {
            Ok((record, outcome)) => (record, Some(outcome)),
            Err(error) => (reading::failed(question, error), None),
        };
        if let Some(ms) = self.judging.judge(question, outcome.as_ref(), &mut record) {
            *timing.judge_ms.get_or_insert_default() += ms;
        }
        let fresh = outcome.filter(|outcome| !outcome.cached);
        (record, fresh.map(|outcome| outcome.time.as_secs_f64() * 1000.0))
    }

    /// Reads an answer from chunks; if `guarded`, the guard may refuse first.
    fn answer(
        &mut self,
        question: &Question,
        chunks: &[usize],
        guarded: bool,
    ) -> Result<(ReadRecord, Outcome), String> {
        let mut progress = |step| {
            if step == PipelineProgress::LoadingReader {
                (self.on)(EvalEvent::LoadingReader);
            }
        };
        let request = ReadRequest::new(&question.question, chunks, question.lang);
        let observer = &mut Observer::of_progress(&mut progress);
        let read = if guarded {
            self.pipeline.read_guarded(&request, observer)
        } else {
            self.pipeline.read(&request, observer)
        };
        self.done += 1;
        (self.on)(EvalEvent::Answered(self.done, self.planned));
        let mut outcome = read.map_err(|e| e.to_string())?;
        reading::settle(question, &mut outcome);
        self.counts.add(outcome.cached);
        let guard = self.pipeline.settings().read.guard;
        let mut record = reading::record(question, &outcome, self.judging.cutter(), guard);
        // A refusal by the guard is not sampled.
        let draws = if outcome.guarded { 1 } else { self.plan.settings.repeat };
        for draw in 1..draws as u64 {
            let request = ReadRequest { draw, use_cache: false, ..request };
            let again = self.pipeline.read(&request, &mut Observer::default());
            let mut again = again.map_err(|e| e.to_string())?;
            reading::settle(question, &mut again);
            record.repeats.push(reading::repeat(question, &again));
        }
        Ok((record, outcome))
    }

    /// The evidence, then the best-ranked chunks without evidence as distractors.
    fn oracle_chunks(&self, question: &ResolvedQuestion, found: &[usize]) -> Vec<usize> {
        let (all, kb) = (self.pipeline.retriever().chunks(), self.plan.kb);
        let mut chunks = question.evidence_chunks(all, kb);
        let others = found.iter().filter(|&&at| question.found_by(&all[at], kb).is_empty());
        chunks.extend(others.take(self.plan.settings.distractors));
        chunks
    }
}

/// The record of a question before anything is answered.
pub(crate) fn record(question: &Question, retrieval: RetrievalRecord) -> QuestionRecord {
    QuestionRecord {
        schema: RECORD_SCHEMA.to_owned(),
        id: question.id.clone(),
        question: question.question.clone(),
        lang: question.lang,
        split: question.split,
        tags: question.tags.clone(),
        unanswerable: question.unanswerable,
        references: question.answers.clone(),
        retrieval,
        oracle: None,
        e2e: None,
        class: None,
        marks: Vec::new(),
    }
}

/// The chunks that are read end to end: the first `read.context_k` found, or the nearest of the
/// documents that the question itself gives.
pub(crate) fn to_read(
    question: &ResolvedQuestion,
    found: &[usize],
    pipeline: &Pipeline,
) -> Result<Vec<usize>, fiel_reader::Error> {
    let mut chunks = if question.question.context.is_empty() {
        found.to_vec()
    } else {
        let given = question.given_chunks(pipeline.retriever().chunks());
        pipeline.nearest(&question.question.question, given)?
    };
    chunks.truncate(pipeline.settings().read.context_k);
    Ok(chunks)
}

/// `20260131-235959.123456`, UTC. Names of runs sort by time.
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
}
