use std::path::Path;

use anyhow::{Context, Result};
use fiel_store::{GENERATED, GeneratedFolder, folder_size};
use serde::Serialize;

use crate::{
    args::{CleanArgs, Common},
    commands::Verdict,
    output::{json, print, size},
};

#[derive(Serialize)]
struct Cleaned {
    folder: String,
    bytes: u64,
    deleted: bool,
}

/// Deletes generated files. Runs are deleted only with `--runs`, because reports may cite their
/// figures.
pub fn run(args: &CleanArgs, common: &Common) -> Result<Verdict> {
    let mut cleaned = Vec::new();
    let mut screen = String::new();
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
        let status = if deleted {
            "deleted"
        } else if chosen {
            "would be deleted"
        } else {
            "kept; --runs deletes it"
        };
        let folder = path.display().to_string();
        screen.push_str(&format!("{folder:<20} {:>10}  {status}\n", size(bytes)));
        cleaned.push(Cleaned {
            folder,
            bytes,
            deleted,
        });
    }
    if common.json {
        json(&cleaned)?;
    } else if cleaned.is_empty() {
        print("nothing to clean\n")?;
    } else {
        print(&screen)?;
    }
    Ok(Verdict::Good)
}
