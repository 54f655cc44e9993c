//! `fiel report`

use std::{collections::BTreeSet, path::PathBuf};

use anyhow::Result;
use clap::Args;
use fiel_gold::Gold;
use fiel_record::ReportFile;
use fiel_report::{ChunkTexts, PageLang, html_page};
use fiel_store::write_atomic;

use crate::{
    args::{Common, setting},
    output::{chain, note, show},
    page::{OnPage, Sources, evidence, page},
    settings::{Options, Settings},
    stored::texts,
    verdict::Verdict,
    workspace::{find_run, gold_path},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel report last\n  \
    fiel report 20260131-101500 last --lang es -o report.html\n\n\
    Several runs are compared with the first, a single run with gold/NAME.baseline.csv. The page \
    opens with the last run.")]
pub struct ReportArgs {
    /// Runs to report
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<String>,
    /// Language of the page when it opens, which the page can switch: en, es
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = setting::<PageLang>)]
    pub lang: PageLang,
    /// File to write [default: report.html in the folder of the last run]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Knowledge base with the texts [default: that of the run]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
}

pub fn run(args: &ReportArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let mut runs = Vec::new();
    for id in &args.runs {
        let folder = find_run(id)?;
        let run = folder.load()?;
        runs.push(OnPage { label: None, run, folder });
    }
    let mut sources = Sources::default();
    let mut gold = None;
    let mut seen = BTreeSet::new();
    for OnPage { run, .. } in &runs {
        let manifest = &run.summary.manifest;
        if seen.insert(&manifest.chunks_sha256) {
            match texts(manifest, args.kb.as_deref(), common) {
                Ok(texts) => sources
                    .chunks
                    .push(ChunkTexts { chunks_sha256: manifest.chunks_sha256.clone(), texts }),
                Err(error) => sources.notes.push(format!(
                    "the passages of run {} have no texts: {}",
                    run.summary.timing.run,
                    chain(&error)
                )),
            }
        }
        if gold.is_none() {
            // Evidence is marked only if the gold set is unchanged since the run.
            let loaded = Gold::load(&gold_path(&manifest.gold)).ok();
            gold = loaded.filter(|gold| gold.digest == manifest.gold_sha256);
        }
    }
    match &gold {
        Some(gold) => sources.evidence = evidence(gold),
        None => sources.notes.push(
            "evidence is not marked: the gold set is missing or was changed since the run"
                .to_owned(),
        ),
    }
    for text in &sources.notes {
        note(common.quiet, &format!("note: {text}"));
    }
    sources.gold = gold.as_ref();
    let default = runs.last().map(|run| run.folder.path.join("report.html"));
    let path = args.output.clone().or(default).unwrap_or_default();
    let html = html_page(&page(runs, sources, settings.eval.seed), args.lang);
    write_atomic(&path, html.as_bytes())?;
    let file = ReportFile { path, bytes: html.len() };
    show(common, &file, || format!("{}\n", file.path.display()))
}
