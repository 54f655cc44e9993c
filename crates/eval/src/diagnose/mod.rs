//! The diagnosis of a run: why each wrong answer is wrong, shown by reading again from other contexts.

mod classes;
mod clusters;
mod contexts;
mod rerun;

use std::collections::{BTreeMap, BTreeSet};

use fiel_corpus::KnowledgeBase;
use fiel_gold::{Gold, ResolvedQuestion};
use fiel_reader::{Pipeline, PipelineSettings};
use fiel_record::{
    Class, ClassCeiling, DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis, Manifest, QuestionRecord,
    Repair, RerunKind, TagClasses,
};
use fiel_retrieval::Mode;
use fiel_runs::StoredRun;

pub(crate) use classes::{EvidencePlace, classify};
pub use contexts::Diagnosing;
pub use rerun::DiagnosisEvent;

use crate::{DiagnosisObstacle, Error};

/// Checks that the answers of a run can be read again, without loading a model.
///
/// # Errors
/// [`Error::Diagnose`] if the run has no answers or those of another system, or if the documents or
/// the questions changed.
pub fn can_diagnose(run: &StoredRun, kb: &KnowledgeBase, gold: &Gold) -> Result<(), Error> {
    let manifest = &run.summary.manifest;
    let obstacle = if let Some(system) = &manifest.system {
        Some(DiagnosisObstacle::OtherSystem(system.clone()))
    } else if !run.records.iter().any(|record| record.e2e.is_some()) {
        Some(DiagnosisObstacle::NoAnswers)
    } else {
        changed(&[
            ("the knowledge base", Some(kb.digest()), &manifest.kb_sha256),
            ("the gold set", Some(gold.digest.clone()), &manifest.gold_sha256),
        ])
    };
    obstacle.map_or(Ok(()), |reason| Err(contexts::obstacle(run, reason)))
}

/// The legs that a diagnosis reads from, with their settings: those that a hybrid run fuses, or the
/// leg that the run does not use.
pub fn other_legs(settings: &PipelineSettings) -> Vec<(RerunKind, PipelineSettings)> {
    let legs: &[_] = match settings.retrieve.mode {
        Mode::Hybrid => &[(RerunKind::Bm25, Mode::Bm25), (RerunKind::Dense, Mode::Vector)],
        Mode::Bm25 => &[(RerunKind::Dense, Mode::Vector)],
        Mode::Vector => &[(RerunKind::Bm25, Mode::Bm25)],
    };
    let leg = |&(kind, mode)| {
        let mut settings = settings.clone();
        settings.retrieve.mode = mode;
        (kind, settings)
    };
    legs.iter().map(leg).collect()
}

/// Diagnoses the wrong answers of a run by reading them again from other contexts. Cached answers
/// are reused.
///
/// # Errors
/// [`Error::Diagnose`] if models, prompts or chunks differ from those of the run; an error of
/// retrieval if a leg cannot search.
pub fn diagnose(
    input: &Diagnosing<'_>,
    on: &mut dyn FnMut(DiagnosisEvent),
) -> Result<Diagnosis, Error> {
    let StoredRun { summary, records } = input.run;
    if let Some(reason) = changed_pipeline(&summary.manifest, input.pipeline) {
        return Err(contexts::obstacle(input.run, reason));
    }
    let questions: BTreeMap<&str, &ResolvedQuestion> =
        input.gold.questions.iter().map(|q| (q.question.id.as_str(), q)).collect();
    let read: Vec<&QuestionRecord> =
        records.iter().filter(|r| !r.unanswerable && r.e2e.is_some()).collect();
    let is_wrong = |r: &&&QuestionRecord| r.e2e.as_ref().is_some_and(|e2e| !e2e.right);
    let total = read.iter().filter(is_wrong).count();
    let mut wrong: Vec<DiagnosedQuestion> = Vec::new();
    for record in read.iter().filter(is_wrong) {
        let question = questions.get(record.id.as_str()).ok_or_else(|| {
            contexts::obstacle(input.run, DiagnosisObstacle::NoQuestion(record.id.clone()))
        })?;
        wrong.push(rerun::diagnose_question(input, record, question, on)?);
        on(DiagnosisEvent::Looked(wrong.len(), total));
    }
    let ids: BTreeSet<&str> = wrong.iter().map(|q| q.id.as_str()).collect();
    Ok(Diagnosis {
        schema: DIAGNOSIS_SCHEMA.to_owned(),
        key: summary.manifest.key.clone(),
        records_sha256: summary.records_sha256.clone(),
        gold: summary.manifest.gold.clone(),
        kb: summary.manifest.kb.clone(),
        questions: read.len(),
        classes: ceilings(&wrong),
        clusters: clusters::clusters(&read, &ids),
        tags: tags(&read, &wrong),
        wrong,
    })
}

fn changed_pipeline(manifest: &Manifest, pipeline: &Pipeline) -> Option<DiagnosisObstacle> {
    // Manifests of earlier versions lack the digests of the index and the prompts.
    let index = Some(pipeline.retriever().index().digest());
    let index = index.filter(|_| !manifest.index_sha256.is_empty());
    let prompts = Some(pipeline.prompts_digest().to_owned());
    let prompts = prompts.filter(|_| manifest.prompts_sha256.is_some());
    let stored = |digest: &'_ Option<String>| digest.clone().unwrap_or_default();
    changed(&[
        ("the embedder", Some(pipeline.embedder_digest().to_owned()), &manifest.embedder_sha256),
        ("the chunks", Some(pipeline.chunks_digest()), &manifest.chunks_sha256),
        ("the index", index, &manifest.index_sha256),
        ("the reader", pipeline.reader_digest(), &stored(&manifest.reader_sha256)),
        ("the reranker", pipeline.reranker_key().map(str::to_owned), &stored(&manifest.reranker)),
        ("the prompts", prompts, &stored(&manifest.prompts_sha256)),
        ("the class of device", Some(pipeline.device_class().to_string()), &manifest.device_class),
    ])
}

/// The inputs whose digest is known now and differs from that of the run.
fn changed(inputs: &[(&'static str, Option<String>, &str)]) -> Option<DiagnosisObstacle> {
    let differs = |(_, now, stored): &&(_, Option<String>, &str)| {
        now.as_ref().is_some_and(|now| now != stored)
    };
    let changed: Vec<_> = inputs.iter().filter(differs).map(|(name, ..)| *name).collect();
    (!changed.is_empty()).then_some(DiagnosisObstacle::Changed(changed))
}

/// The wrong answers by class, with the repairs that could win them.
fn ceilings(wrong: &[DiagnosedQuestion]) -> Vec<ClassCeiling> {
    let mut out = Vec::new();
    for class in Class::ALL {
        let of_class: Vec<_> = wrong.iter().filter(|q| q.class == class).collect();
        if of_class.is_empty() {
            continue;
        }
        let mut ceilings: BTreeMap<Repair, usize> = BTreeMap::new();
        for repair in of_class.iter().flat_map(|q| &q.repairs) {
            *ceilings.entry(*repair).or_default() += 1;
        }
        // `max_by_key` takes the last of equal repairs: in reversed order of cost, the cheapest.
        let most = ceilings.iter().rev().max_by_key(|(_, count)| **count);
        let first = most.map(|(repair, _)| *repair);
        out.push(ClassCeiling { class, wrong: of_class.len(), first, ceilings });
    }
    out
}

/// The questions by tag, and the wrong answers among them by class.
fn tags(read: &[&QuestionRecord], wrong: &[DiagnosedQuestion]) -> BTreeMap<String, TagClasses> {
    let mut out: BTreeMap<String, TagClasses> = BTreeMap::new();
    for tag in read.iter().flat_map(|record| &record.tags) {
        out.entry(tag.clone()).or_default().questions += 1;
    }
    for question in wrong {
        for tag in &question.tags {
            let of_tag = out.entry(tag.clone()).or_default();
            *of_tag.wrong.entry(question.class).or_default() += 1;
        }
    }
    out
}
