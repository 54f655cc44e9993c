//! Reconstructs the inputs of a stored run.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use fiel_reader::PipelineSettings;
use fiel_record::Manifest;

use crate::{
    args::Common,
    workspace::{builder, load_stored_kb},
};

/// The texts of all chunks, if the knowledge base is unchanged since the run. Never uses the
/// network.
pub fn texts(
    manifest: &Manifest,
    kb: Option<&str>,
    common: &Common,
) -> Result<BTreeMap<String, String>> {
    if manifest.system.is_some() {
        bail!("the passages of other systems are not stored");
    }
    let kb = match load_stored_kb(kb.unwrap_or(&manifest.kb)) {
        Ok(kb) => kb,
        Err(error) => bail!("{error}. Name the knowledge base with --kb"),
    };
    if kb.digest() != manifest.kb_sha256 {
        bail!("the knowledge base {} was changed since the run", kb.name);
    }
    let offline = Common { offline: true, ..common.clone() };
    let (chunks, digest) = builder(&offline)?.chunks(&kb, &settings(manifest)?)?;
    if digest != manifest.chunks_sha256 {
        bail!("this version of Fiel cuts the knowledge base differently");
    }
    Ok(chunks.into_iter().map(|chunk| (chunk.id.to_string(), chunk.passage())).collect())
}

/// The pipeline settings in the manifest of a run.
pub fn settings(manifest: &Manifest) -> Result<PipelineSettings> {
    let mut settings = manifest.settings.clone();
    if let Some(tables) = settings.as_object_mut() {
        tables.retain(|name, _| !matches!(name.as_str(), "eval" | "judge" | "price"));
    }
    serde_json::from_value(settings)
        .context("cannot read the settings of the run, which another version of Fiel wrote")
}
