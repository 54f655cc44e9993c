use anyhow::Result;
use clap::Args;
use fiel_corpus::KnowledgeBase;
use fiel_eval::{Finding, Level, LintReport, lint};

use super::{kb_of, shown};
use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print},
    settings::Settings,
    workspace::{gold_path, kb_path},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel gold lint verbs\n  fiel gold lint verbs --strict\n  fiel gold lint my/gold.jsonl --kb my/docs --json\n\n\
    A finding that is right as it is can be accepted in gold/NAME.toml:\n  [lint.accept]\n  G303 = [\"question-id\"]\n\n\
    Exit status: 0 done, 1 errors or warnings and --strict was given, 2 the set could not be checked."
)]
pub struct LintArgs {
    /// Gold set: a name below gold/ or a .jsonl file [default: that of the settings]
    #[arg(value_name = "NAME|FILE")]
    name: Option<String>,
    /// Knowledge base [default: the one that the set names]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// End with status 1 when there is any error or warning
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &LintArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let path = gold_path(args.name.as_ref().unwrap_or(&settings.gold));
    let kb = kb_of(&path, args.kb.as_ref(), settings)?;
    let kb = KnowledgeBase::load(&kb_path(&kb))?;
    let report = lint(&path, &kb)?;
    if common.json {
        json(&report)?;
    } else {
        print(&text(&report))?;
    }
    Ok(match args.strict && !report.is_clean() {
        true => Verdict::BelowGate,
        false => Verdict::Good,
    })
}

fn text(report: &LintReport) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        out.push_str(&one(report, finding));
    }
    let count = |level| report.count(level);
    out.push_str(&format!(
        "{} questions, {} of them unanswerable; ",
        report.questions, report.unanswerable
    ));
    if let Some(overlap) = report.overlap {
        out.push_str(&format!(
            "{:.0} % of their content words are in their evidence; ",
            overlap * 100.0
        ));
    }
    out.push_str(&format!(
        "{} errors, {} warnings, {} notes, {} accepted\n",
        count(Level::Error),
        count(Level::Warning),
        count(Level::Note),
        report.accepted.len()
    ));
    out
}

/// `gold/verbs.jsonl:12 v-eat: warning G201: …`
fn one(report: &LintReport, finding: &Finding) -> String {
    let mut place = report.path.display().to_string();
    if let Some(line) = finding.line {
        place.push_str(&format!(":{line}"));
    }
    if let Some(id) = &finding.question {
        place.push_str(&format!(" {id}"));
    }
    format!("{place}: {}", shown(finding))
}
