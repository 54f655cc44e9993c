//! `fiel gold calibrate-guard`

use anyhow::{Context, Result, bail};
use clap::Args;
use fiel_eval::{Calibrated, calibrate_guard, guard_cases};
use fiel_gold::{Gold, Selection, Split};
use fiel_record::GuardResult;
use fiel_report::guard_screen;
use fiel_store::{read_optional_text, write_atomic};
use toml_edit::{DocumentMut, TomlError, table, value};

use crate::{
    args::{Common, PipelineArgs},
    output::{note, print, show},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, gold_path, kb_of, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel gold calibrate-guard verbs\n  \
    fiel gold calibrate-guard clapnq --max-over-refusals 0.3 --dry-run\n\n\
    Chooses the thresholds with the best F1 of abstention on the dev split, among those that refuse \
    at most SHARE of the answerable questions, and writes them to gold/NAME.toml. `fiel eval` uses \
    them for this gold set; for `fiel ask`, copy them to [read.guard] in fiel.toml.")]
pub struct GuardArgs {
    /// Gold set: a name under gold/ or a .jsonl file [default: that of the settings]
    #[arg(value_name = "NAME|FILE")]
    name: Option<String>,
    /// Largest share of the answerable questions to refuse, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    max_over_refusals: f64,
    /// Show the thresholds and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    pipeline: PipelineArgs,
}

/// Below this number of unanswerable questions, thresholds may not generalise. Thresholds chosen on
/// 5 and on 9 of them refused more answerable than unanswerable questions of the test split; those
/// chosen on 50 did not.
const FEW: usize = 20;

pub fn run(args: &GuardArgs, common: &Common) -> Result<Verdict> {
    if !(0.0..=1.0).contains(&args.max_over_refusals) {
        bail!("--max-over-refusals is {}: it must be between 0 and 1", args.max_over_refusals);
    }
    let settings = Settings::resolve(common, &Options::retrieval(&args.pipeline))?;
    let path = gold_path(args.name.as_ref().unwrap_or(&settings.gold));
    let kb = kb_of(&path, args.pipeline.kb.as_ref(), &settings)?;
    let kb = load_kb(&kb, common)?;
    let gold = Gold::load(&path)?.resolve(&kb)?;
    let dev = Selection { split: Some(Split::Dev), ..Selection::default() };
    let questions = dev.choose(&gold)?;
    let pipeline = pipeline(&kb, &settings, false, &mut builder(common)?, common.quiet)?;
    let cases = guard_cases(&pipeline, &questions)?;
    let Some(Calibrated { guard, table }) = calibrate_guard(&cases, args.max_over_refusals) else {
        bail!(
            "{}: among the {} questions of the development split, no thresholds refuse an \
             unanswerable one and at most {} of the answerable ones",
            path.display(),
            cases.len(),
            args.max_over_refusals
        );
    };
    let result = GuardResult {
        cosine: guard.cosine,
        share: guard.share,
        answered: table.answered,
        over_refusals: table.over_refusals,
        false_answers: table.false_answers,
        correct_refusals: table.correct_refusals,
        f1: table.f1(),
    };
    let refusing_all = table.f1_of_refusing_all().unwrap_or_default();
    show(common, &result, || guard_screen(&result, refusing_all))?;
    let unanswerable = cases.iter().filter(|case| case.unanswerable).count();
    if unanswerable < FEW {
        let sample = format!("{unanswerable} unanswerable questions");
        note(common.quiet, &format!("note: thresholds chosen on {sample} may not hold for others"));
    }
    if !args.dry_run {
        let companion = path.with_extension("toml");
        let old = read_optional_text(&companion)?.unwrap_or_default();
        let new = with_guard(&old, guard.cosine, guard.share)
            .with_context(|| companion.display().to_string())?;
        write_atomic(&companion, new.as_bytes())?;
        if !common.json {
            print(&format!("{}\n", companion.display()))?;
        }
    }
    Ok(Verdict::Good)
}

/// Writes the thresholds to `[guard]` of a companion file and leaves the rest unchanged.
fn with_guard(old: &str, cosine: f64, share: f64) -> Result<String, TomlError> {
    let mut document: DocumentMut = old.parse()?;
    let guard = document.entry("guard").or_insert_with(table);
    guard["cosine"] = value(cosine);
    guard["share"] = value(share);
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_replace_older_ones_and_leave_the_rest() {
        let old = "kb = \"k\"\n\n# Chosen on dev.\n[guard]\ncosine = 0.1 # low\nshare = 0.2\n\n\
                   [targets]\n\"e2e.F1\" = 0.5\n";
        let new = with_guard(old, 0.25, 1.0).expect("TOML");
        let expected = "kb = \"k\"\n\n# Chosen on dev.\n[guard]\ncosine = 0.25\nshare = 1.0\n\n\
                        [targets]\n\"e2e.F1\" = 0.5\n";
        assert_eq!(new, expected);
        assert_eq!(with_guard(&new, 0.25, 1.0).expect("TOML"), new);
        let added = with_guard("kb = \"k\"\n", 0.5, 0.5).expect("TOML");
        assert_eq!(added, "kb = \"k\"\n\n[guard]\ncosine = 0.5\nshare = 0.5\n");
        let first = with_guard("", 0.5, 0.5).expect("TOML");
        assert_eq!(first, "[guard]\ncosine = 0.5\nshare = 0.5\n");
        assert!(with_guard("kb = ", 0.5, 0.5).is_err());
    }
}
