use anyhow::Result;
use fiel_corpus::write_atomic;
use fiel_eval::trec_files;
use fiel_report::questions_csv;
use serde::Serialize;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, note, print},
    run_args::ExportArgs,
    workspace::find_run,
};

#[derive(Serialize)]
struct Exported {
    run: String,
    files: Vec<String>,
    /// Questions whose figures differ in TREC files, for one chunk holds several spans.
    sharing_ranks: Vec<String>,
}

pub fn run(args: &ExportArgs, common: &Common) -> Result<Verdict> {
    let run = find_run(&args.run)?.load()?;
    let mut exported = Exported {
        run: run.summary.timing.run.clone(),
        files: Vec::new(),
        sharing_ranks: Vec::new(),
    };
    if let Some(dir) = &args.trec {
        let trec = trec_files(&run)?;
        for (name, text) in [("run.trec", &trec.run), ("qrels.trec", &trec.qrels)] {
            let path = dir.join(name);
            write_atomic(&path, text.as_bytes())?;
            exported.files.push(path.display().to_string());
        }
        exported.sharing_ranks = trec.sharing;
        if !exported.sharing_ranks.is_empty() {
            let text = format!(
                "note: in {} of {} questions one chunk holds several pieces of evidence. They share \
                 its rank, which TREC cannot express: trec_eval gives these questions other \
                 figures: {}",
                exported.sharing_ranks.len(),
                trec.questions,
                exported.sharing_ranks.join(", ")
            );
            note(common.quiet, &text);
        }
    }
    if let Some(path) = &args.csv {
        write_atomic(path, questions_csv(&run.records).as_bytes())?;
        exported.files.push(path.display().to_string());
    }
    if common.json {
        json(&exported)?;
    } else {
        print(
            &exported
                .files
                .iter()
                .map(|f| format!("{f}\n"))
                .collect::<String>(),
        )?;
    }
    Ok(Verdict::Good)
}
