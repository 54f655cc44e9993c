use std::collections::BTreeSet;

use anyhow::Result;
use fiel_corpus::write_atomic;
use fiel_eval::Gold;
use fiel_report::{ChunkTexts, html_page};
use serde_json::json;

use crate::{
    args::Common,
    commands::Verdict,
    output::{self, note, print},
    page::{OnPage, Sources, evidence, page},
    run_args::ReportArgs,
    settings::Settings,
    stored::texts,
    workspace::{find_run, gold_path},
};

pub fn run(args: &ReportArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let mut runs = Vec::new();
    for id in &args.runs {
        let folder = find_run(id)?;
        let run = folder.load()?;
        runs.push(OnPage {
            label: None,
            run,
            folder,
        });
    }
    let mut sources = Sources::default();
    let mut gold = None;
    let mut seen = BTreeSet::new();
    for OnPage { run, .. } in &runs {
        let manifest = &run.summary.manifest;
        if seen.insert(&manifest.chunks_sha256) {
            match texts(manifest, args.kb.as_deref(), common) {
                Ok(texts) => sources.chunks.push(ChunkTexts {
                    chunks_sha256: manifest.chunks_sha256.clone(),
                    texts,
                }),
                Err(why) => {
                    let run = &run.summary.timing.run;
                    let text = format!("texts of passages of run {run} are not shown: {why}");
                    sources.notes.push(text);
                }
            }
        }
        if gold.is_none() {
            // Without a gold set of these very questions, its evidence is not marked.
            let loaded = Gold::load(&gold_path(&manifest.gold)).ok();
            gold = loaded.filter(|gold| gold.digest == manifest.gold_sha256);
        }
    }
    match &gold {
        Some(gold) => sources.evidence = evidence(gold),
        None => sources
            .notes
            .push("evidence is not marked: the gold set is not here or was changed".to_owned()),
    }
    for text in &sources.notes {
        note(common.quiet, &format!("note: {text}"));
    }
    sources.gold = gold.as_ref();
    let beside = runs.last().map(|run| run.folder.path.join("report.html"));
    let path = args.output.clone().or(beside).unwrap_or_default();
    let html = html_page(&page(&runs, sources, settings.eval.seed), args.lang);
    write_atomic(&path, html.as_bytes())?;
    match common.json {
        true => output::json(&json!({ "path": path, "bytes": html.len() }))?,
        false => print(&format!("{}\n", path.display()))?,
    }
    Ok(Verdict::Good)
}
