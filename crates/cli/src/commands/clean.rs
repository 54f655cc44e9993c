//! `fiel clean`

use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use fiel_record::CleanedFolder;
use fiel_report::clean_screen;
use fiel_store::{GENERATED, GeneratedFolder, folder_size};

use crate::{args::Common, output::show, verdict::Verdict};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel clean --dry-run\n  fiel clean\n  fiel clean --runs")]
pub struct CleanArgs {
    /// Show the sizes and delete nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Delete the stored runs too
    #[arg(long)]
    pub runs: bool,
}

/// Deletes generated files. Runs are deleted only with `--runs`, because reports may cite their
/// measures.
pub fn run(args: &CleanArgs, common: &Common) -> Result<Verdict> {
    let mut cleaned = Vec::new();
    for folder in GeneratedFolder::ALL {
        let path = folder.path(Path::new(GENERATED));
        if !path.is_dir() {
            continue;
        }
        let bytes = folder_size(&path).total;
        let chosen = folder.is_cache() || args.runs;
        let deleted = chosen && !args.dry_run;
        if deleted {
            std::fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        cleaned.push(CleanedFolder { folder: path.display().to_string(), bytes, deleted, chosen });
    }
    show(common, &cleaned, || clean_screen(&cleaned))
}
