use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::time::Instant;

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_eval::{EvalMode, Event, Gold, Plan, Selection, evaluate, unfinished_runs};
use fiel_reader::Pipeline;
use fiel_report::{retrieval_screen, screen};

use crate::{
    args::{Common, EvalArgs},
    commands::Verdict,
    output::{json, note, print, style},
    progress::Progress,
    settings::Settings,
    workspace::{gold_path, kb_path, pipeline, runs, store},
};

pub fn run(args: &EvalArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    if settings.eval.modes.is_empty() {
        bail!("eval.modes is empty: name at least one of retrieval, oracle, e2e");
    }
    let started = Instant::now();
    settings.price.check().map_err(anyhow::Error::msg)?;
    // Everything that can be wrong with the input is found before any model is loaded.
    let gold = Gold::load(&gold_path(&settings.gold))?;
    let kb_name = match (&args.pipeline.kb, &gold.kb) {
        (None, Some(kb)) => kb,
        _ => &settings.kb,
    };
    let kb = KnowledgeBase::load(&kb_path(kb_name))?;
    let gold = gold.resolve(&kb)?;
    let selection = Selection {
        split: args.split.split(),
        only: args.only.clone(),
        limit: args.limit.map(|n| n as usize),
    };
    selection.choose(&gold)?;
    if args.resume.is_some() && unfinished_runs(&runs())?.is_empty() {
        bail!("no run is unfinished: there is nothing to resume; leave out --resume");
    }
    if settings.retrieve.top_k < 10 {
        let text = format!(
            "note: retrieve.top_k is {k}, so measures at 10, and others beyond {k}, see only {k} passages",
            k = settings.retrieve.top_k
        );
        note(common.quiet, &text);
    }
    if settings.eval.distractors >= settings.retrieve.top_k {
        bail!(
            "eval.distractors is {}: it must be smaller than retrieve.top_k, which is {}",
            settings.eval.distractors,
            settings.retrieve.top_k
        );
    }
    let store = store(common)?;
    let reads = settings
        .eval
        .modes
        .iter()
        .any(|mode| *mode != EvalMode::Retrieval);
    if reads {
        Pipeline::check_reader(&settings.pipeline(), &store)?;
    }
    let mut pipeline = pipeline(&kb, settings, &store, common.quiet)?;
    if reads {
        pipeline = pipeline.with_reader(&store)?;
    }

    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // The second time there is no waiting.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        note(
            false,
            "stopping after this question; press Ctrl-C again to stop at once",
        );
    })?;
    let plan = Plan {
        kb: &kb,
        gold: &gold,
        selection: &selection,
        settings: &settings.eval,
        prices: &settings.price,
        resume: args.resume.as_deref(),
        note: args.note.as_deref(),
        runs: &runs(),
        stop: &stop,
        started,
    };
    let mut bar = Progress::terminal("reading", common.quiet);
    let mut printed = Ok(());
    let finished = evaluate(&plan, &mut pipeline, &mut |event| match event {
        Event::Retrieved(summary) if !common.json && reads => {
            printed = print(&retrieval_screen(summary, style()));
        }
        Event::Retrieved(_) => {}
        Event::LoadingReader => bar.note("loading the reader"),
        Event::Answered(done, of) => bar.at(done, of),
    });
    bar.clear();
    let finished = finished?;
    printed?;
    let summary = &finished.summary;
    if common.json {
        json(summary)?;
    } else {
        print(&format!(
            "{}{}\n",
            screen(summary, &finished.records, style()),
            finished.folder.display()
        ))?;
    }
    let done = finished.records.len();
    if args.gate && done < summary.planned {
        bail!(
            "the run was stopped after {done} of {} questions and passes no gate. Finish it with \
             `fiel eval --resume {}`",
            summary.planned,
            summary.timing.run
        );
    }
    let missed = summary
        .targets
        .iter()
        .any(|target| target.met == Some(false));
    Ok(if args.gate && missed {
        Verdict::BelowGate
    } else {
        Verdict::Good
    })
}
