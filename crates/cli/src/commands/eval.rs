//! `fiel eval`

use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use fiel_eval::Finished;
use fiel_record::{EvalMode, Summary};
use fiel_report::{retrieval_screen, screen};
use fiel_runs::unfinished_runs;

use crate::{
    args::{Common, PipelineArgs, QuestionArgs, ReaderArgs},
    evaluation::{Evaluation, Start},
    output::{note, print, show, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    questions::Questions,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, runs},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel eval\n  fiel eval --modes retrieval --split all\n  \
    fiel eval --only style:typos --limit 5\n  fiel eval --resume\n  \
    fiel eval --gold my/gold.jsonl --kb my/docs --reader extractive\n\n\
    Modes: `retrieval` measures the passages found, `oracle` reads the gold evidence, `e2e` reads \
    what was found.\n\
    Exit status: 0 done, 1 a target was missed and --gate was given, 2 error.")]
pub struct EvalArgs {
    /// Modes, separated by commas: retrieval, oracle, e2e [default: all three; with --beir:
    /// retrieval]
    #[arg(long, value_delimiter = ',', value_name = "MODES")]
    pub modes: Option<Vec<EvalMode>>,
    /// Number of distractor passages to add in oracle mode [default: 0]
    #[arg(long, value_name = "N")]
    pub distractors: Option<usize>,
    /// Answer each question N times and report the spread; only the first answer may come from the
    /// cache; needs a temperature above 0 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub repeat: Option<u16>,
    /// Sampling temperature of the reader, 0 to 10 [default: 0, the most likely token]
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
    /// End with status 1 if a target is missed, or was not measured
    #[arg(long)]
    pub gate: bool,
    /// With --gate, let targets pass that the run did not measure
    #[arg(long, requires = "gate")]
    pub allow_missing: bool,
    /// Resume an interrupted run: the named one, or the newest with these settings
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "last")]
    pub resume: Option<String>,
    /// Note about this run, shown by `fiel runs`
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub questions: QuestionArgs,
    #[command(flatten)]
    pub reader: ReaderArgs,
}

pub fn run(args: &EvalArgs, common: &Common) -> Result<Verdict> {
    let start = Start {
        resume: args.resume.as_deref(),
        note: args.note.as_deref(),
        is_variant: false,
        at: Instant::now(),
    };
    // Every error of the input is found before a model is loaded.
    let options = Options {
        modes: args.modes.clone(),
        distractors: args.distractors,
        repeat: args.repeat.map(usize::from),
        temperature: args.temperature,
        ..Options::evaluation(&args.pipeline, &args.reader, &args.questions)
    };
    let settings = Settings::resolve(common, &options)?;
    settings.check()?;
    let kb = args.pipeline.kb.as_ref();
    let questions = Questions::load(&args.questions, kb, &settings, common)?;
    if args.resume.is_some() && unfinished_runs(&runs())?.is_empty() {
        bail!("nothing to resume: every run is finished; leave out --resume");
    }
    let k = settings.retrieve.top_k;
    if k < 10 {
        let effect = format!("measures at 10 or more see {k} passages");
        note(common.quiet, &format!("note: retrieve.top_k is {k}: {effect}"));
    }
    let mut evaluation = Evaluation::new(&questions, common, builder(common)?);
    let mut printed = Ok(());
    let mut on_retrieved = |summary: &Summary| {
        if !common.json && settings.reads() {
            printed = print(&retrieval_screen(summary, style()));
        }
    };
    let (pipeline, finished) = evaluation.run(&settings, &start, &mut on_retrieved)?;
    printed?;
    let gold = &questions.gold.gold;
    let sources = Sources {
        chunks: vec![chunk_texts(&pipeline)],
        evidence: evidence(gold),
        gold: Some(gold),
        ..Sources::default()
    };
    let on_page = vec![OnPage::of(&finished)];
    let page = write_page(on_page, sources, "report.html", settings.eval.seed)?;
    let summary = &finished.summary;
    show(common, summary, || {
        format!("{}{}\n", screen(summary, &finished.records, style()), page.display())
    })?;
    if args.gate { gate(&finished, args.allow_missing) } else { Ok(Verdict::Good) }
}

/// The verdict of `--gate`: below the gate if any target was missed or, unless that is allowed, not
/// measured.
fn gate(finished: &Finished, allow_missing: bool) -> Result<Verdict> {
    let summary = &finished.summary;
    let done = finished.records.len();
    if done < summary.planned {
        bail!(
            "the run was stopped after {done} of {} questions, so the gate cannot be checked. \
             Finish it with `fiel eval --resume {}`",
            summary.planned,
            summary.timing.run
        );
    }
    let latency = summary.timing.targets.iter().map(|target| target.met);
    let mut met = summary.targets.iter().map(|target| target.met).chain(latency);
    let is_good = met.all(|met| met.unwrap_or(allow_missing));
    Ok(if is_good { Verdict::Good } else { Verdict::BelowGate })
}
