use anyhow::Result;
use fiel_eval::{list_runs, unfinished_runs};
use fiel_report::{RunRow, runs_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, note, print, style},
    run_args::RunsArgs,
    workspace::runs,
};

/// Every run, the newest last; killed ones among them.
pub fn run(args: &RunsArgs, common: &Common) -> Result<Verdict> {
    let mut rows = Vec::new();
    for folder in list_runs(&runs())? {
        match folder.summary() {
            Ok(summary) => rows.push(RunRow::of(&summary)),
            // One that cannot be read must not hide the others.
            Err(error) => note(false, &format!("note: {error}")),
        }
    }
    for unfinished in unfinished_runs(&runs())? {
        let id = unfinished.folder.id;
        if rows.iter().any(|row| row.run == id) {
            continue;
        }
        let manifest = unfinished.started.manifest;
        rows.push(RunRow {
            run: id,
            started: None,
            gold: format!("{} {}", manifest.gold, manifest.questions),
            questions: unfinished.done,
            planned: unfinished.started.planned,
            reader: manifest.reader,
            means: Default::default(),
            git: None,
            dirty: false,
            note: unfinished.started.note,
        });
    }
    rows.sort_by(|a, b| a.run.cmp(&b.run));
    let first = rows.len().saturating_sub(args.last.unwrap_or(rows.len()));
    let rows = &rows[first..];
    if common.json {
        json(&rows)?;
    } else if rows.is_empty() {
        print("no runs yet; `fiel eval` makes one\n")?;
    } else {
        print(&runs_screen(rows, style()))?;
    }
    Ok(Verdict::Good)
}
