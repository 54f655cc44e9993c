use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::{
    args::{CleanArgs, Common},
    commands::Verdict,
    output::{json, print, size},
    workspace::GENERATED,
};

#[derive(Serialize)]
struct Cleaned {
    folder: String,
    bytes: u64,
    deleted: bool,
}

/// Deletes what can be made again; runs only when asked, for their numbers may be cited.
pub fn run(args: &CleanArgs, common: &Common) -> Result<Verdict> {
    let mut cleaned = Vec::new();
    for name in ["embeddings", "answers", "runs"] {
        let path = Path::new(GENERATED).join(name);
        if !path.is_dir() {
            continue;
        }
        let bytes = folder_size(&path);
        let deleted = !args.dry_run && (name != "runs" || args.runs);
        if deleted {
            std::fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        cleaned.push(Cleaned {
            folder: path.display().to_string(),
            bytes,
            deleted,
        });
    }
    if common.json {
        json(&cleaned)?;
        return Ok(Verdict::Good);
    }
    let mut out = String::new();
    for c in &cleaned {
        let what = match (c.deleted, args.dry_run) {
            (true, _) => "deleted",
            (false, true) => "there",
            (false, false) => "kept; --runs deletes it",
        };
        out.push_str(&format!("{:<20} {:>10}  {what}\n", c.folder, size(c.bytes)));
    }
    if cleaned.is_empty() {
        out.push_str("nothing to clean\n");
    }
    print(&out)?;
    Ok(Verdict::Good)
}

/// Bytes of all files below a folder; 0 when there is none.
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
