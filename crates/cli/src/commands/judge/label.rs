//! `fiel judge label`

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail};
use clap::Args;
use fiel_eval::{Unlabelled, append_label, labels_path, load_labels, unlabelled};
use fiel_record::{counted, one_line};

use crate::{
    args::Common,
    output::{note, print, style},
    stored::texts,
    verdict::Verdict,
    workspace::{find_run, gold_path},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel judge label last\n  \
    fiel judge label last -n 50 && fiel judge calibrate\n\n\
    Answer y (yes), n (no), s (skip) or q (quit). The scores stay hidden. Labels are appended to \
    gold/NAME.labels.jsonl.")]
pub struct LabelArgs {
    /// Run whose claims to label: an id, a prefix of one, a folder, or `last`
    pub run: String,
    /// Label at most N claims
    #[arg(short, long, value_name = "N", default_value_t = 20)]
    pub n: usize,
    /// Gold set of the labels [default: that of the run]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Knowledge base with the texts of the passages [default: that of the run]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
}

pub fn run(args: &LabelArgs, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let manifest = &run.summary.manifest;
    let gold = gold_path(args.gold.as_ref().unwrap_or(&manifest.gold));
    if !gold.is_file() {
        bail!("{}: no such gold set; name it with --gold", gold.display());
    }
    let path = labels_path(&gold);
    let claims = unlabelled(&run, &load_labels(&path)?, args.n);
    if claims.is_empty() {
        bail!(
            "run {} has no unlabelled claims; `fiel eval --modes e2e` creates a run with claims",
            run.summary.timing.run
        );
    }
    let texts = texts(manifest, args.kb.as_deref(), common).context("cannot show the passages")?;
    let mut lines = io::stdin().lock().lines();
    let mut labelled = 0;
    'claims: for (at, Unlabelled { question, label }) in claims.iter().enumerate() {
        let mut screen = format!("\n{} of {}  {}\n", at + 1, claims.len(), style().bold(question));
        for chunk in &label.chunks {
            let text = texts.get(chunk).map_or("(no text)", String::as_str);
            screen.push_str(&format!("  {}\n", one_line(text, usize::MAX)));
        }
        screen.push_str(&format!("  claim: {}\n", style().bold(&label.claim)));
        print(&screen)?;
        loop {
            print("Do the passages support the claim? y/n/s/q ")?;
            io::stdout().flush()?;
            let answer = match lines.next() {
                Some(line) => line?,
                None => break 'claims,
            };
            let supported = match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => true,
                "n" | "no" => false,
                "s" => break,
                "q" => break 'claims,
                _ => continue,
            };
            let mut label = label.clone();
            label.label = supported;
            append_label(&path, &label)?;
            labelled += 1;
            break;
        }
    }
    note(common.quiet, &format!("\n{} written to {}", counted(labelled, "label"), path.display()));
    Ok(Verdict::Good)
}
