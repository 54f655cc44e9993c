//! Reconstructs the inputs of a stored run.

use std::collections::BTreeMap;

use anyhow::anyhow;
use fiel_corpus::KnowledgeBase;
use fiel_reader::PipelineSettings;
use fiel_record::Manifest;
use fiel_report::Texts;

use crate::{
    args::Common,
    workspace::{builder, kb_path},
};

/// The texts of all chunks, if the knowledge base is unchanged since the run. Never uses the
/// network.
pub fn texts(manifest: &Manifest, kb: Option<&str>, common: &Common) -> Texts {
    if manifest.system.is_some() {
        return Err("the passages of other systems are not stored".to_owned());
    }
    let kb = KnowledgeBase::load(&kb_path(kb.unwrap_or(&manifest.kb)));
    let kb = kb.map_err(|e| format!("{e}. Name the knowledge base with --kb"))?;
    if kb.digest() != manifest.kb_sha256 {
        return Err(format!("the knowledge base {} was changed since the run", kb.name));
    }
    let settings = settings(manifest).map_err(|e| e.to_string())?;
    let offline = Common { offline: true, ..common.clone() };
    let mut builder = builder(&offline).map_err(|e| e.to_string())?;
    let (chunks, digest) = builder.chunks(&kb, &settings).map_err(|e| e.to_string())?;
    if digest != manifest.chunks_sha256 {
        return Err("this version of Fiel cuts the knowledge base differently".to_owned());
    }
    let texts: BTreeMap<String, String> =
        chunks.into_iter().map(|chunk| (chunk.id.to_string(), chunk.passage())).collect();
    Ok(texts)
}

/// The pipeline settings in the manifest of a run.
pub fn settings(manifest: &Manifest) -> anyhow::Result<PipelineSettings> {
    let mut settings = manifest.settings.clone();
    if let Some(tables) = settings.as_object_mut() {
        tables.retain(|name, _| !matches!(name.as_str(), "eval" | "judge" | "price"));
    }
    serde_json::from_value(settings).map_err(|e| {
        anyhow!("cannot read the settings of the run, which another version of Fiel wrote: {e}")
    })
}
