//! `fiel gate`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fiel_report::{gate_junit, gate_markdown, gate_screen};
use fiel_runs::{Baseline, baseline_path, gate};
use fiel_store::write_atomic;

use crate::{
    args::Common,
    output::{show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{find_run, gold_path},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel gate\n  fiel gate last --junit gate.xml --markdown gate.md\n\n\
    A measure regresses if the whole paired 95 % interval of its difference from \
    gold/NAME.baseline.csv is on the worse side of 0.\n\
    Exit status: 0 passed, 1 a regression or a missed target, 2 error."
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
    let report = gate(&run, baseline.as_ref(), args.force, settings.eval.seed)?;
    if let Some(path) = &args.junit {
        write_atomic(path, gate_junit(&report).as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        write_atomic(path, gate_markdown(&report).as_bytes())?;
    }
    show(common, &report, || gate_screen(&report, style()))?;
    Ok(if report.passed { Verdict::Good } else { Verdict::BelowGate })
}
