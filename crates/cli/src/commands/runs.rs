//! `fiel runs`

use anyhow::Result;
use clap::Args;
use fiel_record::RunRow;
use fiel_report::runs_screen;
use fiel_runs::{list_runs, unfinished_runs};

use crate::{
    args::Common,
    output::{note, show, style},
    verdict::Verdict,
    workspace::runs,
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel runs\n  fiel runs --last 5\n  fiel runs --json | jq '.[-1].means'"
)]
pub struct RunsArgs {
    /// List only the newest N runs [default: all]
    #[arg(short, long, value_name = "N")]
    pub last: Option<usize>,
}

/// Lists finished and interrupted runs, newest last.
pub fn run(args: &RunsArgs, common: &Common) -> Result<Verdict> {
    let mut rows = Vec::new();
    for folder in list_runs(&runs())? {
        match folder.summary() {
            Ok(summary) => rows.push(RunRow::of(&summary)),
            // A run that cannot be read must not hide the others.
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
    show(common, &rows, || match rows {
        [] => "no runs yet; create one with `fiel eval`\n".to_owned(),
        _ => runs_screen(rows, style()),
    })
}
