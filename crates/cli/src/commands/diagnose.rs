use anyhow::{Result, anyhow};
use fiel_corpus::{KnowledgeBase, write_atomic};
use fiel_eval::{Diagnosing, DiagnosisEvent, Gold, can_diagnose, diagnose, other_legs};
use fiel_report::{diagnosis_markdown, diagnosis_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, note, print, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    progress::Progress,
    run_args::DiagnoseArgs,
    settings::Settings,
    stored,
    workspace::{build, find_run, gold_path, kb_path, stock},
};

pub fn run(args: &DiagnoseArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let folder = find_run(&args.run)?;
    let run = folder.load()?;
    let manifest = &run.summary.manifest;
    let of_run = stored::settings(manifest).map_err(|e| anyhow!(e))?;
    let gold = Gold::load(&gold_path(args.gold.as_ref().unwrap_or(&manifest.gold)))?;
    let kb = KnowledgeBase::load(&kb_path(args.kb.as_ref().unwrap_or(&manifest.kb)))?;
    can_diagnose(&run, &kb, &gold)?;
    let gold = gold.resolve(&kb)?;

    let mut stock = stock(common)?;
    stock.check(&of_run, true)?;
    let pipeline = build(&kb, &of_run, true, &mut stock, common.quiet)?;
    let mut legs = Vec::new();
    for (kind, settings) in other_legs(&of_run) {
        legs.push((kind, build(&kb, &settings, false, &mut stock, true)?));
    }
    let input = Diagnosing {
        run: &run,
        kb: &kb,
        gold: &gold,
        pipeline: &pipeline,
        legs: &legs,
    };
    let mut reading: Option<Progress> = None;
    let diagnosis = diagnose(&input, &mut |event| match event {
        DiagnosisEvent::LoadingReader => match &reading {
            Some(bar) => bar.note("loading the reader"),
            None => note(common.quiet, "loading the reader"),
        },
        DiagnosisEvent::Looked(done, of) => reading
            .get_or_insert_with(|| Progress::terminal("reading again", common.quiet))
            .at(done, of),
    });
    if let Some(bar) = reading {
        bar.clear();
    }
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
    let on_page = OnPage {
        label: None,
        run: run.clone(),
        folder,
    };
    let page = write_page(vec![on_page], sources, "report.html", settings.eval.seed)?;
    if common.json {
        json(&diagnosis)?;
    } else {
        let screen = diagnosis_screen(&diagnosis, style());
        print(&format!("{screen}\n{}\n", page.display()))?;
    }
    Ok(Verdict::Good)
}
