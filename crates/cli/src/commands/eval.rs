use std::time::Instant;

use anyhow::{Result, bail};
use fiel_eval::{EvalMode, Event, Judging, Plan, evaluate, unfinished_runs};
use fiel_report::{retrieval_screen, screen};

use crate::{
    args::{Common, EvalArgs},
    commands::Verdict,
    interrupt::stop_flag,
    output::{json, note, print, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    progress::Progress,
    questions::Asked,
    settings::Settings,
    workspace::{pipeline, runs, stock},
};

pub fn run(args: &EvalArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    if settings.eval.modes.is_empty() {
        bail!("eval.modes is empty: name at least one of retrieval, oracle, e2e");
    }
    if settings.eval.repeat > 1 && settings.read.temperature <= 0.0 {
        bail!(
            "eval.repeat is {}: without a temperature all answers are the same. Give \
             --temperature, or set read.temperature, for one",
            settings.eval.repeat
        );
    }
    let started = Instant::now();
    settings.price.check().map_err(anyhow::Error::msg)?;
    // Everything that can be wrong with the input is found before any model is loaded.
    let kb = args.pipeline.kb.as_ref();
    let asked = Asked::load(&args.questions, kb, settings, common.quiet)?;
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
    let reads = settings
        .eval
        .modes
        .iter()
        .any(|mode| *mode != EvalMode::Retrieval);
    let settings = &settings.clone().with_guard(asked.gold.gold.guard);
    let mut stock = stock(common)?;
    let mut judging = match reads {
        true => Judging::load(
            &settings.judge,
            settings.eval.claim_unit,
            &settings.pipeline(),
            stock.models(),
        )?,
        false => Judging::none(),
    };
    let pipeline = pipeline(&asked.kb, settings, reads, &mut stock, common.quiet)?;

    let stop = stop_flag("stopping after this question; press Ctrl-C again to stop at once")?;
    let plan = Plan {
        kb: &asked.kb,
        gold: &asked.gold,
        selection: &asked.selection,
        settings: &settings.eval,
        judge: &settings.judge,
        prices: &settings.price,
        resume: args.resume.as_deref(),
        note: args.note.as_deref(),
        runs: &runs(),
        stop: &stop,
        started,
    };
    let mut searching = Progress::terminal("searching", common.quiet);
    let mut reading: Option<Progress> = None;
    let mut printed = Ok(());
    let finished = evaluate(&plan, &pipeline, &mut judging, &mut |event| match event {
        Event::Searched(done, of) => searching.at(done, of),
        Event::Retrieved(summary) => {
            searching.clear();
            if !common.json && reads {
                printed = print(&retrieval_screen(summary, style()));
            }
        }
        Event::LoadingReader => match &reading {
            Some(bar) => bar.note("loading the reader"),
            None => note(common.quiet, "loading the reader"),
        },
        Event::Answered(done, of) => reading
            .get_or_insert_with(|| Progress::terminal("reading", common.quiet))
            .at(done, of),
    });
    searching.clear();
    if let Some(bar) = reading {
        bar.clear();
    }
    let finished = finished?;
    printed?;
    let page = write_page(
        vec![OnPage::of(&finished)],
        Sources {
            chunks: vec![chunk_texts(&pipeline)],
            evidence: evidence(&asked.gold.gold),
            gold: Some(&asked.gold.gold),
            ..Sources::default()
        },
        "report.html",
        settings.eval.seed,
    )?;
    let summary = &finished.summary;
    if common.json {
        json(summary)?;
    } else {
        print(&format!(
            "{}{}\n",
            screen(summary, &finished.records, style()),
            page.display()
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
    let of_latency = summary.timing.targets.iter().map(|target| target.met);
    let mut all = summary
        .targets
        .iter()
        .map(|target| target.met)
        .chain(of_latency);
    let missed = all.any(|met| met == Some(false));
    Ok(if args.gate && missed {
        Verdict::BelowGate
    } else {
        Verdict::Good
    })
}
