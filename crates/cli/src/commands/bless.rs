use std::fmt::Write;

use anyhow::{Result, bail};
use fiel_eval::{Blessing, Gold, baseline_path, bless};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print},
    run_args::BlessArgs,
    workspace::{find_run, gold_path},
};

pub fn run(args: &BlessArgs, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let gold = args.gold.as_ref().unwrap_or(&run.summary.manifest.gold);
    let path = gold_path(gold);
    let manifest = &run.summary.manifest;
    let is_of_it = Gold::load(&path).is_ok_and(|set| set.digest == manifest.gold_sha256);
    // A run over TREC files has no gold set of its own.
    if args.gold.is_none() && !manifest.kb.is_empty() && !is_of_it {
        bail!(
            "{} is not the gold set that run {} was made with, or was edited since. Name the set by \
             --gold",
            path.display(),
            run.summary.timing.run
        );
    }
    let blessing = bless(&run, &baseline_path(&path))?;
    if common.json {
        json(&blessing)?;
    } else {
        print(&screen(&blessing))?;
    }
    Ok(Verdict::Good)
}

fn screen(b: &Blessing) -> String {
    let mut out = match &b.before {
        None => format!(
            "{}: {} questions of run {}\n",
            b.path.display(),
            b.questions,
            b.run
        ),
        Some(before) => format!(
            "{}: run {before} → {}, {} questions\n",
            b.path.display(),
            b.run,
            b.questions
        ),
    };
    if b.before.is_some() {
        let mean = |mean: Option<f64>| mean.map_or("none".to_owned(), |mean| format!("{mean:.3}"));
        for (column, was, is) in &b.means {
            let _ = writeln!(out, "  {column}: {} → {}", mean(*was), mean(*is));
        }
        for (what, ids) in [
            ("added", &b.added),
            ("removed", &b.removed),
            ("changed", &b.changed),
        ] {
            if !ids.is_empty() {
                let _ = writeln!(out, "  {} {what}: {}", ids.len(), ids.join(", "));
            }
        }
        if b.means.is_empty() && b.changed.is_empty() && b.added.is_empty() && b.removed.is_empty()
        {
            out.push_str("  no value changed\n");
        }
    }
    out
}
