use anyhow::{Result, bail};
use fiel_report::{QuestionRecord, question_screen, screen, slices_screen};

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    run_args::ShowArgs,
    stored::texts,
    workspace::find_run,
};

pub fn run(args: &ShowArgs, common: &Common) -> Result<Verdict> {
    let stored = find_run(&args.run)?.load()?;
    let (summary, records) = (&stored.summary, &stored.records);
    let Some(id) = &args.question else {
        let text = match args.tags {
            true => slices_screen(summary, style()),
            false => screen(summary, records, style()),
        };
        match (common.json, args.tags) {
            (true, true) => json(&summary.slices)?,
            (true, false) => json(summary)?,
            (false, _) => print(&text)?,
        }
        return Ok(Verdict::Good);
    };
    let record = find(records, id, &summary.timing.run)?;
    if common.json {
        json(record)?;
        return Ok(Verdict::Good);
    }
    let texts = texts(&summary.manifest, args.kb.as_deref(), common);
    print(&question_screen(record, &texts, style()))?;
    Ok(Verdict::Good)
}

/// The question with this id, or the only one whose id begins so.
fn find<'a>(records: &'a [QuestionRecord], id: &str, run: &str) -> Result<&'a QuestionRecord> {
    if let Some(record) = records.iter().find(|r| r.id == id) {
        return Ok(record);
    }
    let begins: Vec<&QuestionRecord> = records.iter().filter(|r| r.id.starts_with(id)).collect();
    match begins[..] {
        [record] => Ok(record),
        [] => bail!(
            "run {run} has no question `{id}`; its {} questions are in `fiel export {run} --csv FILE`",
            records.len()
        ),
        _ => {
            let ids: Vec<&str> = begins.iter().map(|r| r.id.as_str()).collect();
            bail!(
                "`{id}` is the beginning of several questions: {}",
                ids.join(", ")
            )
        }
    }
}
