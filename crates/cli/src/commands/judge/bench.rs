//! `fiel judge bench`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fiel_eval::{BenchPlan, Error, LabelledFile, Scorer, ScorerKind, bench};
use fiel_report::bench_screen;
use fiel_store::write_atomic;

use crate::{
    args::Common,
    output::{show, style},
    progress::Progress,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::builder,
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel judge bench wice/dev.jsonl --scorer lexical,grounded\n  \
    fiel judge bench claims.jsonl --scorer judge --limit 60 --json\n\n\
    A line of FILE is a JSON object with `claim`, `context` (a text or a list of texts), `label` \
    (true or false, supported or not_supported) and optionally `lang`. WiCE files are accepted too, \
    and the evidence of SciFact with its corpus.jsonl in the same folder. The scorers are compared \
    with word overlap, which is always shown."
)]
pub struct BenchArgs {
    /// Labelled claims as JSON Lines
    pub file: PathBuf,
    /// Scorers, separated by commas: lexical, grounded, judge
    #[arg(long, value_delimiter = ',', value_name = "SCORERS", default_value = "lexical,grounded")]
    pub scorer: Vec<ScorerKind>,
    /// Score at most N claims, from the start of the file; at least 2 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub limit: Option<u32>,
    /// Model of the judge: an id or the path of a GGUF file [default: judge.model of the settings,
    /// else the reader]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Write the features of the grounded scorer, one JSON line per claim in the order of FILE
    #[arg(long, value_name = "FILE")]
    pub features: Option<PathBuf>,
}

pub fn run(args: &BenchArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let file = LabelledFile::load(&args.file)?;
    let mut kinds = args.scorer.clone();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.retain(|kind| *kind != ScorerKind::Overlap);
    let mut builder = builder(common)?;
    let mut judge = settings.judge.clone();
    judge.model = args.model.clone().or(judge.model);
    let mut scorers = kinds
        .into_iter()
        .map(|kind| Scorer::load(kind, builder.models(), &settings.pipeline(), &judge))
        .collect::<Result<Vec<Scorer>, Error>>()?;
    let name = args.file.display().to_string();
    let plan = BenchPlan {
        name: &name,
        file: &file,
        limit: args.limit.map(|limit| limit as usize),
        seed: settings.eval.seed,
    };
    let mut features = String::new();
    let mut bar: Option<(ScorerKind, Progress)> = None;
    let mut progress = |kind, done, total| {
        if bar.as_ref().is_none_or(|(current, _)| *current != kind) {
            if let Some((_, finished)) = &bar {
                finished.clear();
            }
            bar = Some((kind, Progress::new(format!("scoring by {kind}"), common.quiet)));
        }
        if let Some((_, bar)) = &mut bar {
            bar.set(done, total);
        }
    };
    let report = bench(
        &plan,
        &mut scorers,
        &mut |claim, values| {
            if args.features.is_some() {
                let line = serde_json::json!({"label": claim.supported, "features": values});
                features.push_str(&format!("{line}\n"));
            }
            Ok(())
        },
        &mut progress,
    );
    if let Some((_, bar)) = &bar {
        bar.clear();
    }
    let report = report?;
    if let Some(path) = &args.features {
        write_atomic(path, features.as_bytes())?;
    }
    show(common, &report, || bench_screen(&report, style()))
}
