//! What a stored run was made of, had again.

use std::collections::BTreeMap;

use fiel_corpus::KnowledgeBase;
use fiel_reader::PipelineSettings;
use fiel_report::{Manifest, Texts};

use crate::{
    args::Common,
    workspace::{kb_path, stock},
};

/// The texts of all chunks, when the knowledge base still is what the run was made of. Nothing is
/// fetched for it.
pub fn texts(manifest: &Manifest, kb: Option<&str>, common: &Common) -> Texts {
    if manifest.system.is_some() {
        return Err("another system's passages are not stored".to_owned());
    }
    let kb = KnowledgeBase::load(&kb_path(kb.unwrap_or(&manifest.kb)));
    let kb = kb.map_err(|e| format!("{e}. Name it by --kb"))?;
    if kb.digest() != manifest.kb_sha256 {
        return Err(format!(
            "the knowledge base {} was changed since the run",
            kb.name
        ));
    }
    let settings = settings(manifest)?;
    let offline = Common {
        offline: true,
        ..common.clone()
    };
    let mut stock = stock(&offline).map_err(|e| e.to_string())?;
    let (chunks, digest) = stock.chunks(&kb, &settings).map_err(|e| e.to_string())?;
    if digest != manifest.chunks_sha256 {
        return Err("this version of Fiel cuts the knowledge base in another way".to_owned());
    }
    let texts: BTreeMap<String, String> = chunks
        .into_iter()
        .map(|chunk| (chunk.id.clone(), chunk.passage()))
        .collect();
    Ok(texts)
}

/// The settings of the pipeline as the manifest has them.
pub fn settings(manifest: &Manifest) -> Result<PipelineSettings, String> {
    let mut settings = manifest.settings.clone();
    if let Some(tables) = settings.as_object_mut() {
        tables.retain(|name, _| !matches!(name.as_str(), "eval" | "judge" | "price"));
    }
    serde_json::from_value(settings)
        .map_err(|e| format!("the settings of the run are not of this version: {e}"))
}
