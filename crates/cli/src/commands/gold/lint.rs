//! `fiel gold lint`

use anyhow::Result;
use clap::Args;
use fiel_eval::index_passages;
use fiel_gold::lint;
use fiel_report::lint_screen;

use crate::{
    args::Common,
    output::{json, print},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{gold_path, kb_of, load_kb},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel gold lint verbs\n  fiel gold lint verbs --strict\n  \
    fiel gold lint my/gold.jsonl --kb my/docs --json\n\n\
    To accept a finding, name its code and question in gold/NAME.toml:\n  [lint.accept]\n  \
    G303 = [\"question-id\"]\n\n\
    Exit status: 0 done, 1 errors or warnings and --strict was given, 2 the set cannot be checked.")]
pub struct LintArgs {
    /// Gold set: a name under gold/ or a .jsonl file [default: that of the settings]
    #[arg(value_name = "NAME|FILE")]
    name: Option<String>,
    /// Knowledge base [default: the one that the gold set names]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// End with status 1 if there is an error or a warning
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &LintArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let path = gold_path(args.name.as_ref().unwrap_or(&settings.gold));
    let kb = kb_of(&path, args.kb.as_ref(), &settings)?;
    let result = lint(&path, &load_kb(&kb, common)?, index_passages)?;
    if common.json {
        json(&result)?;
    } else {
        print(&lint_screen(&result))?;
    }
    Ok(if args.strict && !result.is_clean() { Verdict::BelowGate } else { Verdict::Good })
}
