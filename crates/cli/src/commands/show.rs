use std::collections::BTreeMap;

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_reader::PipelineSettings;
use fiel_report::{Manifest, QuestionRecord, Texts, question_screen, screen, slices_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    run_args::ShowArgs,
    workspace::{find_run, kb_path, stock},
};

pub fn run(args: &ShowArgs, common: &Common) -> Result<Verdict> {
    let stored = find_run(&args.run)?.load()?;
    let (summary, records) = (&stored.summary, &stored.records);
    let Some(id) = &args.question else {
        let text = match args.tags {
            true => slices_screen(summary, style()),
            false => screen(summary, records, style()),
        };
        match (common.json, args.tags) {
            (true, true) => json(&summary.slices)?,
            (true, false) => json(summary)?,
            (false, _) => print(&text)?,
        }
        return Ok(Verdict::Good);
    };
    let record = find(records, id, &summary.timing.run)?;
    if common.json {
        json(record)?;
        return Ok(Verdict::Good);
    }
    let texts = texts(&summary.manifest, args.kb.as_deref(), common);
    print(&question_screen(record, &texts, style()))?;
    Ok(Verdict::Good)
}

/// The question with this id, or the only one whose id begins so.
fn find<'a>(records: &'a [QuestionRecord], id: &str, run: &str) -> Result<&'a QuestionRecord> {
    if let Some(record) = records.iter().find(|r| r.id == id) {
        return Ok(record);
    }
    let begins: Vec<&QuestionRecord> = records.iter().filter(|r| r.id.starts_with(id)).collect();
    match begins[..] {
        [record] => Ok(record),
        [] => bail!(
            "run {run} has no question `{id}`; its {} questions are in `fiel export {run} --csv FILE`",
            records.len()
        ),
        _ => {
            let ids: Vec<&str> = begins.iter().map(|r| r.id.as_str()).collect();
            bail!(
                "`{id}` is the beginning of several questions: {}",
                ids.join(", ")
            )
        }
    }
}

/// The texts of all chunks, when the knowledge base still is what the run was made of. Nothing is
/// fetched for it.
pub(super) fn texts(manifest: &Manifest, kb: Option<&str>, common: &Common) -> Texts {
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
fn settings(manifest: &Manifest) -> Result<PipelineSettings, String> {
    let mut settings = manifest.settings.clone();
    if let Some(tables) = settings.as_object_mut() {
        tables.retain(|name, _| !matches!(name.as_str(), "eval" | "judge" | "price"));
    }
    serde_json::from_value(settings)
        .map_err(|e| format!("the settings of the run are not of this version: {e}"))
}
