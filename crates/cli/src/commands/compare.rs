//! `fiel compare`

use anyhow::Result;
use clap::Args;
use fiel_report::comparison_screen;
use fiel_runs::{CompareOptions, compare};

use crate::{
    args::{Common, MeasureFilter},
    output::{show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::find_run,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel compare 20260131-101500 last\n  \
    fiel compare A B --measures e2e.F1,retrieval.hit@5\n\n\
    Differences are B − A over the questions of both runs, with 95 % paired bootstrap intervals.\n\
    RUN is an id that `fiel runs` lists, a prefix of one, a folder, or `last`.")]
pub struct CompareArgs {
    /// Reference run
    pub a: String,
    /// Run to compare with it
    pub b: String,
    /// Compare only these measures, by name or as MODE.MEASURE; Holm's correction covers them
    /// [default: all]
    #[arg(long, value_delimiter = ',', value_name = "MEASURES")]
    pub measures: Vec<String>,
    /// Compare even if the gold sets or knowledge bases differ
    #[arg(long)]
    pub force: bool,
}

pub fn run(args: &CompareArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let filter = MeasureFilter::parse(&args.measures)?;
    let (a, b) = (find_run(&args.a)?.load()?, find_run(&args.b)?.load()?);
    let options = CompareOptions {
        shown: &|column| filter.matches(column),
        force: args.force,
        seed: settings.eval.seed,
    };
    let comparison = compare(&a, &b, &options)?;
    show(common, &comparison, || comparison_screen(&comparison, style()))
}
