//! `fiel score`

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use fiel_eval::{
    Finished, JudgeMethod, JudgeSettings, Judging, ScorePlan, SystemOutput, TrecPlan,
    score_answers, score_trec,
};
use fiel_gold::{Gold, Selection};
use fiel_metrics::{Measure, RankMeasure};
use fiel_record::counted;
use fiel_report::screen;

use crate::{
    args::{Common, setting},
    output::{note, show, style},
    progress::Progress,
    questions::split,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, gold_path, load_kb, runs},
};

#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("input").required(true).args(["trec_run", "answers"]),
    after_help = "Examples:\n  fiel score --qrels qrels.txt --run bm25.run --measures nDCG@10,AP\n  \
    fiel score --gold verbs --answers answers.jsonl --note \"our pipeline\"\n  \
    fiel score --answers answers.jsonl --judge none\n\n\
    A line of --answers is a JSON object with `id` or `question`, and `contexts` (texts, or objects \
    with `id` and `text`), `answer`, or both; `citations` may list ids or numbers of contexts. The \
    names of ragas are accepted too: user_input, retrieved_contexts, response. References come from \
    the gold set.\n\
    Claims are judged as in `fiel eval`, by [judge] of the settings. With --judge none no model is \
    loaded, and only the lexical measures are computed.\n\
    The result is stored as a run: `fiel show`, `compare`, `gate` and `export` accept it."
)]
pub struct ScoreArgs {
    /// Relevance judgements in TREC format
    #[arg(long, value_name = "FILE", requires = "trec_run")]
    pub qrels: Option<PathBuf>,
    /// Run in TREC format
    #[arg(id = "trec_run", long = "run", value_name = "FILE", requires = "qrels")]
    pub run: Option<PathBuf>,
    /// Measures of a TREC run, separated by commas [default: all ranking measures]
    #[arg(long, value_delimiter = ',', value_name = "MEASURES", requires = "trec_run")]
    pub measures: Vec<String>,
    /// Contexts and answers of another system, as JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with = "trec_run")]
    pub answers: Option<PathBuf>,
    /// Scorer of grounding and hallucination: none, grounded, llm; none also omits the judged
    /// qualities [default: judge.method of the settings, else grounded]
    #[arg(long, value_name = "METHOD", value_parser = setting::<JudgeMethod>, conflicts_with = "trec_run")]
    pub judge: Option<JudgeMethod>,
    /// Gold set of the answers: a name under gold/ or a .jsonl file [default: verbs]
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "trec_run")]
    pub gold: Option<String>,
    /// Knowledge base of the gold set [default: the one that the gold set names]
    #[arg(long, value_name = "NAME|DIR", conflicts_with = "trec_run")]
    pub kb: Option<String>,
    /// Split of the gold set: dev, test, all
    #[arg(long, value_name = "SPLIT", default_value = "test", conflicts_with = "trec_run")]
    pub split: String,
    /// Score only the question with this id, or those with this tag; repeatable
    #[arg(long, value_name = "ID|TAG", conflicts_with = "trec_run")]
    pub only: Vec<String>,
    /// Note about this run, shown by `fiel runs`
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

pub fn run(args: &ScoreArgs, common: &Common) -> Result<Verdict> {
    let settings = &Settings::resolve(common, &Options::default())?;
    let finished = match (&args.qrels, &args.run, &args.answers) {
        (Some(qrels), Some(run), _) => trec(args, qrels, run, settings, common)?,
        (_, _, Some(answers)) => system(args, answers, settings, common)?,
        _ => bail!("give --qrels and --run, or --answers"),
    };
    show(common, &finished.summary, || {
        let screen = screen(&finished.summary, &finished.records, style());
        format!("{screen}{}\n", finished.folder.display())
    })
}

fn trec(
    args: &ScoreArgs,
    qrels: &Path,
    run: &Path,
    settings: &Settings,
    common: &Common,
) -> Result<Finished> {
    let parse = |name: &String| match name.parse() {
        Ok(Measure::Rank(measure)) => Ok(measure),
        Ok(other) => bail!("--measures: {other} is not a ranking measure"),
        Err(error) => bail!("--measures: {error}"),
    };
    let measures: Vec<RankMeasure> = args.measures.iter().map(parse).collect::<Result<_>>()?;
    let scored = score_trec(&TrecPlan {
        qrels,
        run,
        measures: &measures,
        seed: settings.eval.seed,
        runs: &runs(),
        note: args.note.as_deref(),
    })?;
    let unjudged = "questions of the run are left out because they have no judgements";
    note_ids(common, &scored.unjudged, unjudged);
    note_ids(common, &scored.unanswered, "judged questions score 0 because the run lacks them");
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
    let kb = load_kb(args.kb.as_ref().or(gold.kb.as_ref()).unwrap_or(&settings.kb), common)?;
    let gold = gold.resolve(&kb)?;
    let selection = Selection { split: split(&args.split)?, only: args.only.clone(), limit: None };
    let judge = judge(args, settings);
    let phrases = settings.pipeline().abstain.phrases;
    let plan = ScorePlan {
        kb: &kb,
        gold: &gold,
        selection: &selection,
        output: &output,
        phrases: &phrases,
        settings: &settings.eval,
        judge: &judge,
        runs: &runs(),
        note: args.note.as_deref(),
    };
    // Called only if an answer has claims to judge.
    let (mut builder, pipeline) = (builder(common)?, settings.pipeline());
    let unit = settings.eval.claim_unit;
    let mut load = || Judging::load_for_other_system(&judge, unit, &pipeline, builder.models());
    let mut bar = Progress::new("scoring", common.quiet);
    let scored = score_answers(&plan, &mut load, &mut |done, total| bar.set(done, total));
    bar.clear();
    let scored = scored?;
    let (rows, refused, other) = (output.rows.len(), scored.refused.len(), scored.not_chosen);
    let used = rows - refused - other;
    let counts = format!("{used} scored, {other} for other questions");
    note(common.quiet, &format!("{}: {counts}, {refused} refused", counted(rows, "row")));
    for fault in &scored.refused {
        note(common.quiet, &format!("refused: {fault}"));
    }
    note_ids(common, &scored.unanswered, "questions without a row count as failed");
    if !output.ignored.is_empty() {
        let names: Vec<String> = output.ignored.into_iter().collect();
        note(common.quiet, &format!("note: ignored columns: {}", names.join(", ")));
    }
    Ok(scored.finished)
}

/// `[judge]` with the method of `--judge`. `none` also drops the qualities that need a judge.
fn judge(args: &ScoreArgs, settings: &Settings) -> JudgeSettings {
    let mut judge = settings.judge.clone();
    judge.method = args.judge.unwrap_or(judge.method);
    if args.judge == Some(JudgeMethod::None) {
        judge.qualities.retain(|quality| !quality.needs_judge());
    }
    judge
}

/// Prints a note about questions with their number and the first ten ids.
fn note_ids(common: &Common, ids: &[String], what: &str) {
    const SHOWN: usize = 10;
    if !ids.is_empty() {
        let more = if ids.len() > SHOWN { ", …" } else { "" };
        let shown = ids[..ids.len().min(SHOWN)].join(", ");
        note(common.quiet, &format!("note: {} {what}: {shown}{more}", ids.len()));
    }
}
