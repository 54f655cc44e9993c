//! `fiel bless`

use anyhow::{Result, bail};
use clap::Args;
use fiel_gold::Gold;
use fiel_report::bless_screen;
use fiel_runs::{baseline_path, bless};

use crate::{
    args::Common,
    output::{json, print},
    verdict::Verdict,
    workspace::{find_run, gold_path},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel bless\n  fiel bless last && git add gold/verbs.baseline.csv\n\n\
    Writes gold/NAME.baseline.csv, which `fiel gate` and the report compare runs with."
)]
pub struct BlessArgs {
    /// Run that becomes the baseline
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set whose baseline to write [default: that of the run]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
}

pub fn run(args: &BlessArgs, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let manifest = &run.summary.manifest;
    let path = gold_path(args.gold.as_ref().unwrap_or(&manifest.gold));
    let is_same = Gold::load(&path).is_ok_and(|set| set.digest == manifest.gold_sha256);
    // A run over TREC files has no gold set.
    if args.gold.is_none() && !manifest.kb.is_empty() && !is_same {
        bail!(
            "{}: not the gold set of run {}, or edited since. Name the gold set with --gold",
            path.display(),
            run.summary.timing.run
        );
    }
    let update = bless(&run, &baseline_path(&path))?;
    if common.json {
        json(&update)?;
    } else {
        print(&bless_screen(&update))?;
    }
    Ok(Verdict::Good)
}
