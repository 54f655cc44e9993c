//! `fiel show`

use anyhow::{Result, bail};
use clap::Args;
use fiel_record::QuestionRecord;
use fiel_report::{question_screen, screen, slices_screen};

use crate::{
    args::Common,
    output::{chain, show, style},
    stored::texts,
    verdict::Verdict,
    workspace::find_run,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel show last\n  \
    fiel show last v-eat-past-participle\n  fiel show 20260131 --tags\n\n\
    RUN is an id that `fiel runs` lists, a prefix of one, a folder, or `last`.")]
pub struct ShowArgs {
    /// Run to show
    pub run: String,
    /// Id of a question, or a prefix of one: shows its hits, context, prompt, answer, claims and
    /// class
    pub question: Option<String>,
    /// Show the main measures by tag
    #[arg(long, conflicts_with = "question")]
    pub tags: bool,
    /// Knowledge base with the texts [default: that of the run]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
}

pub fn run(args: &ShowArgs, common: &Common) -> Result<Verdict> {
    let stored = find_run(&args.run)?.load()?;
    let (summary, records) = (&stored.summary, &stored.records);
    let Some(id) = &args.question else {
        if args.tags {
            return show(common, &summary.slices, || slices_screen(summary, style()));
        }
        return show(common, summary, || screen(summary, records, style()));
    };
    let record = find(records, id, &summary.timing.run)?;
    show(common, record, || {
        let texts = texts(&summary.manifest, args.kb.as_deref(), common);
        question_screen(record, &texts.map_err(|error| chain(&error)), style())
    })
}

/// The question with this id, or the only one with this prefix.
fn find<'a>(records: &'a [QuestionRecord], id: &str, run: &str) -> Result<&'a QuestionRecord> {
    if let Some(record) = records.iter().find(|r| r.id == id) {
        return Ok(record);
    }
    let matches: Vec<&QuestionRecord> = records.iter().filter(|r| r.id.starts_with(id)).collect();
    match matches[..] {
        [record] => Ok(record),
        [] => bail!(
            "run {run} has no question `{id}`; `fiel export {run} --csv FILE` lists its {} questions",
            records.len()
        ),
        _ => {
            let ids: Vec<&str> = matches.iter().map(|r| r.id.as_str()).collect();
            bail!("`{id}` is the prefix of several questions: {}", ids.join(", "))
        }
    }
}
