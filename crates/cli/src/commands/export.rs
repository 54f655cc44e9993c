//! `fiel export`

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};
use fiel_record::ExportResult;
use fiel_report::questions_csv;
use fiel_runs::trec_files;
use fiel_store::write_atomic;

use crate::{
    args::Common,
    output::{note, show},
    verdict::Verdict,
    workspace::find_run,
};

#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("format").required(true).multiple(true).args(["trec", "csv"]),
    after_help = "Examples:\n  fiel export last --trec out/\n  fiel export last --csv last.csv"
)]
pub struct ExportArgs {
    /// Run to export
    pub run: String,
    /// Write run.trec and qrels.trec to this folder; trec_eval -c gives the same scores
    #[arg(long, value_name = "DIR")]
    pub trec: Option<PathBuf>,
    /// Write one row per question with every measure
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

pub fn run(args: &ExportArgs, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let mut result = ExportResult {
        run: run.summary.timing.run.clone(),
        files: Vec::new(),
        sharing_ranks: Vec::new(),
    };
    if let Some(dir) = &args.trec {
        let trec = trec_files(&run)?;
        for (name, text) in [("run.trec", &trec.run), ("qrels.trec", &trec.qrels)] {
            let path = dir.join(name);
            write_atomic(&path, text.as_bytes())?;
            result.files.push(path.display().to_string());
        }
        result.sharing_ranks = trec.sharing;
        if !result.sharing_ranks.is_empty() {
            let text = format!(
                "note: in {} of {} questions one chunk contains several pieces of evidence, which \
                 share its rank. TREC files cannot express this, so trec_eval gives other scores \
                 for: {}",
                result.sharing_ranks.len(),
                trec.questions,
                result.sharing_ranks.join(", ")
            );
            note(common.quiet, &text);
        }
    }
    if let Some(path) = &args.csv {
        write_atomic(path, questions_csv(&run.records).as_bytes())?;
        result.files.push(path.display().to_string());
    }
    show(common, &result, || format!("{}\n", result.files.join("\n")))
}
