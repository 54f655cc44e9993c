use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use fiel_eval::{EvalMode, Event, Judging, Plan, StoredRun, ablation, ablation_columns, evaluate};
use fiel_report::{ChunkTexts, Column, Table, ablation_markdown, ablation_screen};

use crate::{
    args::{AblateArgs, Common},
    arms::{Arm, arms},
    commands::Verdict,
    interrupt,
    output::{json, note, print, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    progress::Progress,
    questions::Asked,
    settings::Settings,
    shown::Shown,
    workspace::{pipeline, runs, stock},
};

pub fn run(args: &AblateArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let shown = Shown::parse(&args.measures)?;
    let arms = chosen(args, arms(settings)?)?;
    let kb = args.pipeline.kb.as_ref();
    let asked = Asked::load(&args.questions, kb, settings, common.quiet)?;
    let reads = settings
        .eval
        .modes
        .iter()
        .any(|mode| *mode != EvalMode::Retrieval);
    let mut stock = stock(common)?;
    // Every model is there before the first arm runs.
    for arm in &arms {
        let checked = stock.check(&arm.settings.pipeline(), reads);
        checked.with_context(|| format!("arm `{}`", arm.name))?;
    }
    let stop =
        interrupt::stop_flag("stopping after this question; press Ctrl-C again to stop at once")?;
    let mut done: Vec<(String, StoredRun)> = Vec::new();
    let (mut on_page, mut chunks) = (Vec::new(), Vec::new());
    for (at, Arm { name, settings }) in arms.iter().enumerate() {
        note(
            common.quiet,
            &format!("arm {} of {}: {name}", at + 1, arms.len()),
        );
        let started = Instant::now();
        let settings = &settings.clone().with_guard(asked.gold.gold.guard);
        let pipeline = pipeline(&asked.kb, settings, reads, &mut stock, common.quiet)
            .with_context(|| format!("arm `{name}`"))?;
        let mut judging = match reads {
            true => Judging::load(
                &settings.judge,
                settings.eval.claim_unit,
                &settings.pipeline(),
                stock.models(),
            )?,
            false => Judging::none(),
        };
        let plan = Plan {
            kb: &asked.kb,
            gold: &asked.gold,
            selection: &asked.selection,
            settings: &settings.eval,
            judge: &settings.judge,
            prices: &settings.price,
            resume: None,
            note: Some(name),
            runs: &runs(),
            stop: &stop,
            started,
        };
        let mut searching = Progress::terminal("searching", common.quiet);
        let mut reading: Option<Progress> = None;
        let finished = evaluate(&plan, &pipeline, &mut judging, &mut |event| match event {
            Event::Searched(done, of) => searching.at(done, of),
            Event::Retrieved(_) => searching.clear(),
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
        if stop.load(Ordering::Relaxed) {
            bail!(
                "stopped in arm `{name}`; the {} before it are stored as runs: `fiel runs` lists them",
                done.len()
            );
        }
        on_page.push(OnPage {
            label: Some(name.clone()),
            ..OnPage::of(&finished)
        });
        let known = |set: &ChunkTexts| set.chunks_sha256 == pipeline.chunks_digest();
        if !chunks.iter().any(known) {
            chunks.push(chunk_texts(&pipeline));
        }
        let (summary, records) = (finished.summary, finished.records);
        done.push((name.clone(), StoredRun { summary, records }));
    }
    let columns = match &done[..] {
        [(_, first), ..] if args.measures.is_empty() => ablation_columns(first),
        _ => columns(&done, &shown)?,
    };
    let table = ablation(&done, &columns, settings.eval.seed)?;
    if let Some(path) = &args.markdown {
        std::fs::write(path, ablation_markdown(&table))
            .with_context(|| path.display().to_string())?;
    }
    let sources = Sources {
        chunks,
        evidence: evidence(&asked.gold.gold),
        ..Sources::default()
    };
    let page = write_page(on_page, sources, "ablation.html", settings.eval.seed)?;
    if common.json {
        json(&table)?;
    } else {
        let screen = ablation_screen(&table, style());
        print(&format!("{screen}\n{}\n", page.display()))?;
    }
    Ok(Verdict::Good)
}

/// The arms named, in the order of the matrix; all when none is.
fn chosen(args: &AblateArgs, arms: Vec<Arm>) -> Result<Vec<Arm>> {
    let known: Vec<String> = arms.iter().map(|arm| format!("\"{}\"", arm.name)).collect();
    if let Some(unknown) = args
        .arms
        .iter()
        .find(|name| arms.iter().all(|arm| arm.name != **name))
    {
        bail!(
            "--arm \"{unknown}\": there is no such arm; there are {}",
            known.join(", ")
        );
    }
    let wanted = |arm: &Arm| args.arms.is_empty() || args.arms.contains(&arm.name);
    Ok(arms.into_iter().filter(wanted).collect())
}

/// The measures asked for that any arm has.
fn columns(done: &[(String, StoredRun)], shown: &Shown) -> Result<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    for (_, run) in done {
        for column in Table::of(&run.records).columns.into_keys() {
            if shown.has(column) && !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    columns.sort_unstable();
    if columns.is_empty() {
        bail!(
            "--measures: no arm has a measure of that name; `fiel show RUN` lists those of a run"
        );
    }
    Ok(columns)
}
