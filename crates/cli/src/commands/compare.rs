use anyhow::Result;
use fiel_eval::{CompareOptions, compare};
use fiel_report::comparison_screen;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    run_args::CompareArgs,
    settings::Settings,
    shown::Shown,
    workspace::find_run,
};

pub fn run(args: &CompareArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let shown = Shown::parse(&args.measures)?;
    let (a, b) = (find_run(&args.a)?.load()?, find_run(&args.b)?.load()?);
    let options = CompareOptions {
        shown: &|column| shown.has(column),
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
