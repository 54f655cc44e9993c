//! `fiel gate`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fiel_gold::{Gold, Question};
use fiel_record::Manifest;
use fiel_report::{gate_junit, gate_markdown, gate_screen};
use fiel_runs::{Baseline, GateOptions, baseline_path, gate};
use fiel_store::write_atomic;

use crate::{
    args::Common,
    output::{show, style},
    questions::split,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{find_run, gold_path},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel gate\n  fiel gate last --junit gate.xml --markdown gate.md\n\n\
    A measure regresses if it is worse than gold/NAME.baseline.csv beyond chance: p of an exact test is \
    at most 0.05 after Holm over all measures, and at least six questions differ.\n\
    Exit status: 0 passed, 1 a regression, a missed target or one not measured, 2 error."
)]
pub struct GateArgs {
    /// Run to check
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set whose baseline to use [default: that of the run]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Compare even if the gold set or knowledge base differs from that of the baseline
    #[arg(long)]
    pub force: bool,
    /// Let targets and measures of the baseline pass that the run did not measure
    #[arg(long)]
    pub allow_missing: bool,
    /// Write the checks as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a summary as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

pub fn run(args: &GateArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let run = find_run(&args.run)?.load()?;
    let gold = args.gold.as_ref().unwrap_or(&run.summary.manifest.gold);
    let baseline = Baseline::load(&baseline_path(&gold_path(gold)))?;
    let options = GateOptions {
        force: args.force,
        allow_missing: args.allow_missing,
        of: Gold::load(&gold_path(gold)).ok().map(|gold| in_split(&gold, &run.summary.manifest)),
        seed: settings.eval.seed,
    };
    let report = gate(&run, baseline.as_ref(), options)?;
    if let Some(path) = &args.junit {
        write_atomic(path, gate_junit(&report).as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        write_atomic(path, gate_markdown(&report).as_bytes())?;
    }
    show(common, &report, || gate_screen(&report, style()))?;
    Ok(if report.passed { Verdict::Good } else { Verdict::BelowGate })
}

/// Number of questions of a gold set in the split that a run covers.
fn in_split(gold: &Gold, manifest: &Manifest) -> usize {
    let split = manifest.questions.split(',').next().and_then(|name| split(name).ok()).flatten();
    let is_in = |question: &Question| split.is_none_or(|split| question.split == split);
    gold.questions.iter().filter(|(_, question)| is_in(question)).count()
}
