use std::collections::{BTreeMap, BTreeSet};

use fiel_corpus::KnowledgeBase;
use fiel_reader::{Pipeline, PipelineSettings};
use fiel_record::{
    Class, ClassCeiling, DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis, Manifest, QuestionRecord,
    Repair, RerunKind, TagClasses,
};
use fiel_retrieval::Mode;

use crate::{Error, cluster::clusters, rerun};
use fiel_gold::{Gold, ResolvedGold, ResolvedQuestion};
use fiel_runs::StoredRun;

/// What is to be diagnosed, and with what.
pub struct Diagnosing<'a> {
    /// The run.
    pub run: &'a StoredRun,
    /// Its documents.
    pub kb: &'a KnowledgeBase,
    /// Its questions, anchored in them.
    pub gold: &'a ResolvedGold,
    /// Its pipeline.
    pub pipeline: &'a Pipeline,
    /// Pipelines that differ from it in the legs alone.
    pub legs: &'a [(RerunKind, Pipeline)],
}

/// What a diagnosis tells while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosisEvent {
    /// The weights of the reader are being read.
    LoadingReader,
    /// Wrong answers looked at so far, and in all.
    Looked(usize, usize),
}

/// Refuses a run that cannot be read again: one without answers, of another system, or of which
/// the documents or the questions were changed. Nothing is loaded for it.
///
/// # Errors
/// Saying what it is.
pub fn can_diagnose(run: &StoredRun, kb: &KnowledgeBase, gold: &Gold) -> Result<(), Error> {
    let (manifest, id) = (&run.summary.manifest, &run.summary.timing.run);
    let refuse = |why: String| Err(Error::Compare(format!("run {id} cannot be diagnosed: {why}")));
    if let Some(system) = &manifest.system {
        return refuse(format!("its answers are of {system}, which cannot be asked again"));
    }
    if !run.records.iter().any(|record| record.e2e.is_some()) {
        return refuse(
            "it has no end-to-end answers; `fiel eval --modes retrieval,oracle,e2e` makes them"
                .to_owned(),
        );
    }
    let changed = changed(&[
        ("the knowledge base", Some(kb.digest()), &manifest.kb_sha256),
        ("the gold set", Some(gold.digest.clone()), &manifest.gold_sha256),
    ]);
    match changed[..] {
        [] => Ok(()),
        _ => refuse(advice(&changed)),
    }
}

/// The legs that a run can be read again from: those it fuses, or the one it does not use.
pub fn other_legs(settings: &PipelineSettings) -> Vec<(RerunKind, PipelineSettings)> {
    let leg = |kind, mode| {
        let mut settings = settings.clone();
        settings.retrieve.mode = mode;
        (kind, settings)
    };
    let bm25 = || leg(RerunKind::Bm25, Mode::Bm25);
    let dense = || leg(RerunKind::Dense, Mode::Vector);
    match settings.retrieve.mode {
        Mode::Hybrid => vec![bm25(), dense()],
        Mode::Bm25 => vec![dense()],
        Mode::Vector => vec![bm25()],
    }
}

/// Shows by reruns why each wrong answer of a run is wrong. What the answer cache knows is not
/// asked again.
///
/// # Errors
/// When models, prompts or chunks are not those of the run, or a leg cannot search.
pub fn diagnose(
    input: &Diagnosing<'_>,
    on: &mut dyn FnMut(DiagnosisEvent),
) -> Result<Diagnosis, Error> {
    let StoredRun { summary, records } = input.run;
    same_pipeline(&summary.manifest, &summary.timing.run, input.pipeline)?;
    let questions = input.gold.questions.iter();
    let questions: BTreeMap<&str, &ResolvedQuestion> =
        questions.map(|q| (q.question.id.as_str(), q)).collect();
    let read: Vec<&QuestionRecord> =
        records.iter().filter(|r| !r.unanswerable && r.e2e.is_some()).collect();
    let is_wrong = |r: &&&QuestionRecord| r.e2e.as_ref().is_some_and(|e2e| !e2e.right);
    let of = read.iter().filter(is_wrong).count();
    let mut wrong: Vec<DiagnosedQuestion> = Vec::new();
    for record in read.iter().filter(is_wrong) {
        let question = questions.get(record.id.as_str()).ok_or_else(|| {
            Error::Compare(format!("the gold set has no question `{}`", record.id))
        })?;
        wrong.push(rerun::diagnosed(input, record, question, on)?);
        on(DiagnosisEvent::Looked(wrong.len(), of));
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
        clusters: clusters(&read, &ids),
        tags: tags(&read, &wrong),
        wrong,
    })
}

fn same_pipeline(manifest: &Manifest, run: &str, pipeline: &Pipeline) -> Result<(), Error> {
    // Runs of earlier versions do not know the digest of their index.
    let index = Some(pipeline.retriever().index().digest());
    let reader = manifest.reader_sha256.as_deref().unwrap_or_default();
    let prompts = manifest.prompts_sha256.as_deref().unwrap_or_default();
    let reranker = manifest.reranker.as_deref().unwrap_or_default();
    let embedder = Some(pipeline.embedder_digest().to_owned());
    let changed = changed(&[
        ("the embedder", embedder, &manifest.embedder_sha256),
        ("the chunks", Some(pipeline.chunks_digest()), &manifest.chunks_sha256),
        ("the index", index.filter(|_| !manifest.index_sha256.is_empty()), &manifest.index_sha256),
        ("the reader", pipeline.reader_digest(), reader),
        ("the reranker", pipeline.reranker_key().map(str::to_owned), reranker),
        (
            "the prompts",
            Some(pipeline.prompts_digest().to_owned()).filter(|_| !prompts.is_empty()),
            prompts,
        ),
        ("the class of device", Some(pipeline.device_class().to_string()), &manifest.device_class),
    ]);
    match changed[..] {
        [] => Ok(()),
        _ => Err(Error::Compare(format!("run {run} cannot be diagnosed: {}", advice(&changed)))),
    }
}

fn changed<'a>(checks: &[(&'a str, Option<String>, &str)]) -> Vec<&'a str> {
    let differs = |(_, now, then): &&(&str, Option<String>, &str)| {
        now.as_ref().is_some_and(|now| now != then)
    };
    checks.iter().filter(differs).map(|(what, ..)| *what).collect()
}

fn advice(changed: &[&str]) -> String {
    let be = if changed.len() > 1 { "are" } else { "is" };
    format!(
        "{} {be} not what it was then, so its answers cannot be had again. Evaluate anew with \
         `fiel eval`, or go back to what it was",
        changed.join(" and ")
    )
}

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
        // Of equals the cheapest, which comes first.
        let most = ceilings.values().copied().max();
        let first = Repair::ALL.into_iter().find(|repair| ceilings.get(repair).copied() == most);
        out.push(ClassCeiling {
            class,
            wrong: of_class.len(),
            first: first.filter(|_| most.is_some()),
            ceilings,
        });
    }
    out
}

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
