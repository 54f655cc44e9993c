use anyhow::{Result, anyhow};
use fiel_eval::{CompareOptions, compare};
use fiel_metrics::Measure;
use fiel_report::{Column, comparison_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    run_args::CompareArgs,
    settings::Settings,
    workspace::find_run,
};

/// A measure of one mode, or of every mode that has it.
enum Shown {
    Column(Column),
    Measure(Measure),
}

pub fn run(args: &CompareArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let shown: Vec<Shown> = args
        .measures
        .iter()
        .map(|name| match name.parse() {
            Ok(column) => Ok(Shown::Column(column)),
            Err(_) => name.parse().map(Shown::Measure),
        })
        .collect::<Result<_, _>>()
        .map_err(|e| anyhow!("--measures: {e}"))?;
    let is_shown = |column: Column| {
        let asked = |shown: &Shown| match shown {
            Shown::Column(one) => *one == column,
            Shown::Measure(measure) => *measure == column.measure,
        };
        shown.is_empty() || shown.iter().any(asked)
    };
    let (a, b) = (find_run(&args.a)?.load()?, find_run(&args.b)?.load()?);
    let options = CompareOptions {
        shown: &is_shown,
        force: args.force,
        seed: settings.eval.seed,
    };
    let comparison = compare(&a, &b, &options)?;
    if common.json {
        json(&comparison)?;
    } else {
        print(&comparison_screen(&comparison, style()))?;
    }
    Ok(Verdict::Good)
}
