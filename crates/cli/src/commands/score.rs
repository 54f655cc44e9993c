use std::path::Path;

use anyhow::{Result, anyhow, bail};
use fiel_corpus::KnowledgeBase;
use fiel_eval::{
    Finished, Gold, JudgeMethod, JudgeSettings, Judging, ScorePlan, Selection, SystemOutput,
    TrecPlan, score_answers, score_trec,
};
use fiel_metrics::{Measure, RankMeasure};
use fiel_report::screen;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, note, print, style},
    progress::Progress,
    run_args::ScoreArgs,
    settings::Settings,
    workspace::{gold_path, kb_path, runs, stock},
};

pub fn run(args: &ScoreArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let finished = match (&args.qrels, &args.run, &args.answers) {
        (Some(qrels), Some(run), _) => trec(args, qrels, run, settings, common)?,
        (_, _, Some(answers)) => system(args, answers, settings, common)?,
        _ => bail!("give --qrels and --run, or --answers"),
    };
    if common.json {
        json(&finished.summary)?;
    } else {
        print(&format!(
            "{}{}\n",
            screen(&finished.summary, &finished.records, style()),
            finished.folder.display()
        ))?;
    }
    Ok(Verdict::Good)
}

fn trec(
    args: &ScoreArgs,
    qrels: &Path,
    run: &Path,
    settings: &Settings,
    common: &Common,
) -> Result<Finished> {
    let measures: Vec<RankMeasure> = args
        .measures
        .iter()
        .map(|name| match name.parse() {
            Ok(Measure::Rank(measure)) => Ok(measure),
            Ok(other) => Err(anyhow!("--measures: {other} is not a ranking measure")),
            Err(e) => Err(anyhow!("--measures: {e}")),
        })
        .collect::<Result<_>>()?;
    let scored = score_trec(&TrecPlan {
        qrels,
        run,
        measures: &measures,
        seed: settings.eval.seed,
        runs: &runs(),
        note: args.note.as_deref(),
    })?;
    let tell = |ids: &[String], what: &str| {
        if !ids.is_empty() {
            note(
                common.quiet,
                &format!("note: {} {what}: {}", ids.len(), some(ids)),
            );
        }
    };
    tell(
        &scored.unjudged,
        "questions of the run have no judgements and are left out",
    );
    tell(
        &scored.unanswered,
        "judged questions are not in the run and score 0",
    );
    Ok(scored.finished)
}

fn system(
    args: &ScoreArgs,
    answers: &Path,
    settings: &Settings,
    common: &Common,
) -> Result<Finished> {
    let output = SystemOutput::load(answers)?;
    let gold = Gold::load(&gold_path(args.gold.as_ref().unwrap_or(&settings.gold)))?;
    let kb = args
        .kb
        .as_ref()
        .or(gold.kb.as_ref())
        .unwrap_or(&settings.kb);
    let kb = KnowledgeBase::load(&kb_path(kb))?;
    let gold = gold.resolve(&kb)?;
    let selection = Selection {
        split: args.split.split(),
        only: args.only.clone(),
        limit: None,
    };
    let judge = judge(args, settings);
    let plan = ScorePlan {
        kb: &kb,
        gold: &gold,
        selection: &selection,
        output: &output,
        settings: &settings.eval,
        judge: &judge,
        runs: &runs(),
        note: args.note.as_deref(),
    };
    // Models are looked for where one is needed.
    let (mut stock, pipeline) = (stock(common)?, settings.pipeline());
    let mut load = || {
        Judging::load_for_other_system(&judge, settings.eval.claim_unit, &pipeline, stock.models())
    };
    let mut bar = Progress::terminal("scoring", common.quiet);
    let scored = score_answers(&plan, &mut load, &mut |done, of| bar.at(done, of));
    bar.clear();
    let scored = scored?;
    let quiet = common.quiet;
    let used = output.rows.len() - scored.refused.len() - scored.not_chosen;
    note(
        quiet,
        &format!(
            "{} rows: {used} scored, {} of questions not chosen, {} refused",
            output.rows.len(),
            scored.not_chosen,
            scored.refused.len()
        ),
    );
    for fault in &scored.refused {
        note(quiet, &format!("refused: {fault}"));
    }
    if !scored.unanswered.is_empty() {
        let (count, ids) = (scored.unanswered.len(), some(&scored.unanswered));
        note(
            quiet,
            &format!("note: {count} questions have no row and count as failed: {ids}"),
        );
    }
    if !output.ignored.is_empty() {
        let names: Vec<String> = output.ignored.into_iter().collect();
        note(
            quiet,
            &format!("note: columns that are not read: {}", names.join(", ")),
        );
    }
    Ok(scored.finished)
}

/// `[judge]` with the method that was asked for; with `none` the judge has no say in qualities,
/// either.
fn judge(args: &ScoreArgs, settings: &Settings) -> JudgeSettings {
    let mut judge = settings.judge.clone();
    judge.method = args.judge.unwrap_or(judge.method);
    if args.judge == Some(JudgeMethod::None) {
        judge.qualities.retain(|quality| !quality.needs_judge());
    }
    judge
}

/// The first ids of a list.
fn some(ids: &[String]) -> String {
    const SOME: usize = 10;
    let mut out = ids[..ids.len().min(SOME)].join(", ");
    if ids.len() > SOME {
        out.push_str(", …");
    }
    out
}
