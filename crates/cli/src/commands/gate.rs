use std::path::Path;

use anyhow::Result;
use fiel_corpus::write_atomic;
use fiel_eval::{Baseline, baseline_path, gate};
use fiel_report::{gate_junit, gate_markdown, gate_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    run_args::GateArgs,
    settings::Settings,
    workspace::{find_run, gold_path},
};

pub fn run(args: &GateArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let gold = args.gold.as_ref().unwrap_or(&run.summary.manifest.gold);
    let baseline = Baseline::load(&baseline_path(&gold_path(gold)))?;
    let report = gate(&run, baseline.as_ref(), args.force, settings.eval.seed)?;
    let write = |path: Option<&Path>, text: String| {
        path.map_or(Ok(()), |path| write_atomic(path, text.as_bytes()))
    };
    write(args.junit.as_deref(), gate_junit(&report))?;
    write(args.markdown.as_deref(), gate_markdown(&report))?;
    if common.json {
        json(&report)?;
    } else {
        print(&gate_screen(&report, style()))?;
    }
    Ok(match report.passed {
        true => Verdict::Good,
        false => Verdict::BelowGate,
    })
}
