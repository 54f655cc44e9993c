//! `fiel clean`

use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use fiel_report::{CleanedFolder, clean_screen};

use crate::{
    args::Common,
    output::{json, print},
    verdict::Verdict,
    workspace::GENERATED,
};

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

/// Deletes the caches; runs only on request, because their results may be cited.
pub fn run(args: &CleanArgs, common: &Common) -> Result<Verdict> {
    let mut cleaned = Vec::new();
    for name in ["embeddings", "answers", "runs"] {
        let path = Path::new(GENERATED).join(name);
        if !path.is_dir() {
            continue;
        }
        let bytes = folder_size(&path);
        let chosen = name != "runs" || args.runs;
        let deleted = chosen && !args.dry_run;
        if deleted {
            std::fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        cleaned.push(CleanedFolder {
            folder: path.display().to_string(),
            bytes,
            deleted,
            chosen,
        });
    }
    if common.json {
        json(&cleaned)?;
    } else {
        print(&clean_screen(&cleaned))?;
    }
    Ok(Verdict::Good)
}

/// Size in bytes of all files below a folder; 0 if it does not exist.
pub fn folder_size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else {
        return 0;
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => folder_size(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
