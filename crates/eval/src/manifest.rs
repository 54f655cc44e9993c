//! The manifest of a run: everything that decides its records.

use fiel_reader::{Pipeline, PipelineSettings};
use fiel_record::Manifest;
use fiel_retrieval::{RerankMethod, RewriteMethod};
use fiel_runs::PriceSettings;
use fiel_store::sha256_hex;
use serde::Serialize;

use crate::{Error, EvalSettings, JudgeSettings, Judging, Plan};

/// The settings of a run, as tables of fiel.toml.
#[derive(Serialize)]
struct ResolvedSettings<'a> {
    #[serde(flatten)]
    pipeline: &'a PipelineSettings,
    eval: &'a EvalSettings,
    judge: &'a JudgeSettings,
    price: &'a PriceSettings,
}

pub(crate) fn manifest(
    plan: &Plan<'_>,
    pipeline: &Pipeline,
    judging: &Judging,
) -> Result<Manifest, Error> {
    let settings = pipeline.settings();
    let reads = plan.reads();
    // Retrieval alone may use the language model, too.
    let generates = reads
        || settings.rerank.method == RerankMethod::Llm
        || settings.rewrite.method == RewriteMethod::Llm;
    let resolved = ResolvedSettings {
        pipeline: settings,
        eval: plan.settings,
        judge: plan.judge,
        price: plan.prices,
    };
    seal(Manifest {
        key: String::new(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kb: plan.kb.name.clone(),
        kb_sha256: plan.kb.digest(),
        gold: plan.gold.gold.name.clone(),
        gold_sha256: plan.gold.gold.digest.clone(),
        questions: plan.selection.to_string(),
        modes: plan.settings.modes.clone(),
        distractors: plan.settings.distractors,
        documents: plan.kb.documents.len(),
        left_out: plan.kb.left_out.clone(),
        chunks: pipeline.retriever().chunks().len(),
        chunks_sha256: pipeline.chunks_digest(),
        index_sha256: pipeline.retriever().index().digest(),
        embedder: settings.embed.model.clone(),
        embedder_sha256: pipeline.embedder_digest().to_owned(),
        reader: generates.then(|| settings.read.model.clone()),
        reader_sha256: pipeline.reader_digest().filter(|_| generates),
        judge: judging.key().filter(|_| reads),
        reranker: pipeline.reranker_key().map(str::to_owned),
        prompts_sha256: generates.then(|| pipeline.prompts_digest().to_owned()),
        system: None,
        device_class: pipeline.device_class().to_string(),
        claim_unit: plan.settings.claim_unit.to_string(),
        settings_sha256: String::new(),
        settings: serde_json::to_value(&resolved)?,
    })
}

/// Sets the digest of the settings and the key of the run.
pub(crate) fn seal(mut manifest: Manifest) -> Result<Manifest, Error> {
    manifest.settings_sha256 = sha256_hex(manifest.settings.to_string().as_bytes());
    manifest.key = String::new();
    manifest.key = sha256_hex(serde_json::to_string(&manifest)?.as_bytes());
    Ok(manifest)
}
