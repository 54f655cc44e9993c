//! `fiel diagnose`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fiel_eval::{Diagnosing, DiagnosisEvent, can_diagnose, diagnose, other_legs};
use fiel_gold::Gold;
use fiel_report::{diagnosis_markdown, diagnosis_screen};
use fiel_store::write_atomic;

use crate::{
    args::Common,
    output::{show, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    progress::Progress,
    settings::{Options, Settings},
    stored,
    verdict::Verdict,
    workspace::{build, builder, find_run, gold_path, load_stored_kb},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel diagnose\n  fiel diagnose last --markdown diagnosis.md\n\n\
    Reads each wrong answer again: from the evidence alone, without its distractors, with the \
    evidence first, from each leg alone, and without the evidence. Uses the settings of the run and \
    the cache of answers. The result is stored in the folder of the run as diagnosis.json, and \
    `fiel report` shows it."
)]
pub struct DiagnoseArgs {
    /// Run to diagnose
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set of the run [default: the one that the run names]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Knowledge base of the run [default: the one that the run names]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
    /// Write the diagnosis as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

pub fn run(args: &DiagnoseArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let folder = find_run(&args.run)?;
    let run = folder.load()?;
    let manifest = &run.summary.manifest;
    let run_settings = stored::settings(manifest)?;
    let gold = Gold::load(&gold_path(args.gold.as_ref().unwrap_or(&manifest.gold)))?;
    let kb = load_stored_kb(args.kb.as_ref().unwrap_or(&manifest.kb))?;
    can_diagnose(&run, &kb, &gold)?;
    let gold = gold.resolve(&kb)?;

    let mut builder = builder(common)?;
    builder.check(&run_settings, true)?;
    let pipeline = build(&kb, &run_settings, true, &mut builder, common.quiet)?;
    let mut legs = Vec::new();
    for (kind, settings) in other_legs(&run_settings) {
        legs.push((kind, build(&kb, &settings, false, &mut builder, true)?));
    }
    let input = Diagnosing { run: &run, kb: &kb, gold: &gold, pipeline: &pipeline, legs: &legs };
    let mut reading = Progress::new("reading again", common.quiet);
    let diagnosis = diagnose(&input, &mut |event| match event {
        DiagnosisEvent::LoadingReader => reading.loading(),
        DiagnosisEvent::Looked(done, total) => reading.set(done, total),
    });
    reading.clear();
    let diagnosis = diagnosis?;
    folder.write_diagnosis(&diagnosis)?;
    if let Some(path) = &args.markdown {
        write_atomic(path, diagnosis_markdown(&diagnosis).as_bytes())?;
    }
    let sources = Sources {
        chunks: vec![chunk_texts(&pipeline)],
        evidence: evidence(&gold.gold),
        gold: Some(&gold.gold),
        ..Sources::default()
    };
    let on_page = OnPage { label: None, run, folder };
    let page = write_page(vec![on_page], sources, "report.html", settings.eval.seed)?;
    show(common, &diagnosis, || {
        format!("{}\n{}\n", diagnosis_screen(&diagnosis, style()), page.display())
    })
}
