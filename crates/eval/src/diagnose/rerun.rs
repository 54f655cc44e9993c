//! A wrong answer read again from other contexts, and the repairs that could win it.

use std::collections::BTreeMap;

use fiel_gold::ResolvedQuestion;
use fiel_metrics::normalize_answer;
use fiel_reader::{Observer, PipelineProgress, ReadRequest};
use fiel_record::{
    Class, DiagnosedQuestion, Mark, Proof, QuestionRecord, ReadRecord, Repair, Rerun, RerunKind,
};
use fiel_text::Lang;

use super::{
    classes::confirm,
    contexts::{Contexts, Diagnosing},
};
use crate::{
    Error,
    reading::{scores, settle},
};

/// Progress of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosisEvent {
    /// The weights of the reader are being loaded.
    LoadingReader,
    /// Number of wrong answers diagnosed so far, and in total.
    Looked(usize, usize),
}

pub(super) fn diagnose_question(
    input: &Diagnosing<'_>,
    record: &QuestionRecord,
    question: &ResolvedQuestion,
    on: &mut dyn FnMut(DiagnosisEvent),
) -> Result<DiagnosedQuestion, Error> {
    let e2e = record.e2e.clone().unwrap_or_default();
    let class = record.class.unwrap_or(Class::Unexplained);
    let hits = &record.retrieval.hits;
    let mut diagnosed = DiagnosedQuestion {
        id: record.id.clone(),
        question: record.question.clone(),
        tags: record.tags.clone(),
        references: record.references.clone(),
        answer: e2e.answer.clone(),
        class,
        shown_by: Proof::Error,
        marks: record.marks.clone(),
        evidence_rank: hits.iter().find(|h| !h.finds.is_empty()).map(|h| h.rank),
        group_ranks: (0..record.retrieval.groups)
            .map(|group| hits.iter().find(|h| h.finds.contains(&group)).map(|h| h.rank))
            .collect(),
        reruns: Vec::new(),
        repairs: Vec::new(),
    };
    if class == Class::Failed {
        return Ok(diagnosed);
    }
    let contexts = Contexts::new(input, record, question)?;
    let mut known = BTreeMap::from([(contexts.read.clone(), from_record(&e2e))]);
    if let Some(oracle) = &record.oracle
        && input.run.summary.manifest.distractors == 0
        && oracle.error.is_none()
    {
        known.insert(contexts.evidence.clone(), from_record(oracle));
    }
    let all = input.pipeline.retriever().chunks();
    for kind in RerunKind::ALL {
        let Some(chunks) = contexts.chunks(kind)? else {
            continue;
        };
        let ids = chunks.iter().map(|&at| all[at].id.clone()).collect();
        let read =
            known.entry(chunks).or_insert_with_key(|chunks| read(input, question, chunks, on));
        diagnosed.reruns.push(Rerun { kind, chunks: ids, ..read.clone() });
    }
    let right = |kind| diagnosed.right(kind);
    (diagnosed.class, diagnosed.shown_by) =
        confirm(class, right(RerunKind::NoDistractors), right(RerunKind::Evidence));
    diagnosed.repairs = repairs(&diagnosed, &contexts, e2e.abstained, question.question.lang);
    let without = diagnosed.reruns.iter().find(|rerun| rerun.kind == RerunKind::NoEvidence);
    let is_known =
        without.is_some_and(|rerun| rerun.right && !contexts.has_reference(&rerun.chunks));
    if is_known && !diagnosed.marks.contains(&Mark::SelfKnowledge) {
        diagnosed.marks.push(Mark::SelfKnowledge);
        diagnosed.marks.sort_unstable();
    }
    Ok(diagnosed)
}

/// The repairs that the reruns show to work, or else those that are left.
fn repairs(
    question: &DiagnosedQuestion,
    contexts: &Contexts<'_>,
    abstained: bool,
    lang: Lang,
) -> Vec<Repair> {
    let right = |kind| question.right(kind) == Some(true);
    let evidence = right(RerunKind::Evidence);
    let first = right(RerunKind::EvidenceFirst);
    let no_distractors = right(RerunKind::NoDistractors);
    let is_cut = contexts.is_cut || question.class == Class::ContextCut;
    let shown = [
        (Repair::Chunking, is_cut && evidence),
        (Repair::OtherLeg, right(RerunKind::Bm25) || right(RerunKind::Dense)),
        (Repair::Order, contexts.was_read && first),
        (Repair::Rerank, !contexts.was_read && contexts.was_found && first),
        (Repair::FewerPassages, contexts.was_read && no_distractors && !first),
    ];
    let mut repairs: Vec<Repair> =
        shown.into_iter().filter_map(|(repair, works)| works.then_some(repair)).collect();
    if !repairs.is_empty() {
        return repairs;
    }
    if evidence || no_distractors || first {
        return vec![Repair::Retrieval];
    }
    repairs.push(Repair::Prompt);
    let repeated = question.reruns.iter().any(|rerun| {
        rerun.kind == RerunKind::Evidence
            && normalize_answer(&rerun.answer, lang) == normalize_answer(&question.answer, lang)
    });
    let is_suspect = question.marks.contains(&Mark::GoldSuspect);
    if is_suspect && repeated && contexts.was_read && !abstained {
        repairs.push(Repair::Gold);
    }
    repairs
}

/// The answer from other chunks. The caller sets kind and chunks of the rerun.
fn read(
    input: &Diagnosing<'_>,
    question: &ResolvedQuestion,
    chunks: &[usize],
    on: &mut dyn FnMut(DiagnosisEvent),
) -> Rerun {
    let question = &question.question;
    let mut progress = |step| {
        if step == PipelineProgress::LoadingReader {
            on(DiagnosisEvent::LoadingReader);
        }
    };
    let request = ReadRequest::new(&question.question, chunks, question.lang);
    let read = match input.pipeline.read(&request, &mut Observer::of_progress(&mut progress)) {
        Err(error) => ReadRecord { error: Some(error.to_string()), ..ReadRecord::default() },
        Ok(mut outcome) => {
            settle(question, &mut outcome);
            ReadRecord {
                right: scores(question, &outcome).right,
                abstained: outcome.abstained,
                answer: outcome.answer,
                ..ReadRecord::default()
            }
        }
    };
    from_record(&read)
}

fn from_record(read: &ReadRecord) -> Rerun {
    Rerun {
        kind: RerunKind::Evidence,
        chunks: Vec::new(),
        answer: read.answer.clone(),
        right: read.right,
        abstained: read.abstained,
        error: read.error.clone(),
    }
}
