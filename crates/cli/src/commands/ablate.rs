//! `fiel ablate`

use std::{collections::BTreeSet, path::PathBuf, time::Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use fiel_record::{Column, EvalMode, Table};
use fiel_report::{ChunkTexts, ablation_markdown, ablation_screen};
use fiel_runs::{StoredRun, ablation, ablation_columns};

use crate::{
    args::{Common, MeasureFilter, PipelineArgs, QuestionArgs, ReaderArgs},
    evaluation::{Evaluation, Start},
    output::{note, show, style},
    page::{OnPage, Sources, chunk_texts, evidence, write_page},
    questions::Questions,
    settings::{Options, Settings},
    variants::{Variant, variants},
    verdict::Verdict,
    workspace::builder,
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel ablate\n  fiel ablate --gold laboral --split dev --markdown table.md\n  \
    fiel ablate --beir scifact --split test --measures nDCG@10,R@100\n  \
    fiel ablate --modes retrieval,e2e --arm hybrid --arm \"hybrid + late\"\n\n\
    The table has one row per variant (arm); the others are compared with the first. Without \
    [ablate] in fiel.toml the variants are vector, bm25, hybrid, hybrid + late, and hybrid + late \
    + typo. To define others:\n\n  \
    [ablate.matrix]                      # every combination is a variant\n  \
    \"chunk.size\" = [64, 128, 256]\n  \"retrieve.mode\" = [\"bm25\", \"hybrid\"]\n\n  \
    [[ablate.arm]]                       # single variants\n  \
    name = \"late, 50 deep\"\n  set = { \"rerank.method\" = \"late\", \"rerank.depth\" = 50 }\n\n\
    Each variant is stored as a run."
)]
pub struct AblateArgs {
    /// Modes, separated by commas: retrieval, oracle, e2e
    #[arg(long, value_delimiter = ',', value_name = "MODES", default_values_t = [EvalMode::Retrieval])]
    pub modes: Vec<EvalMode>,
    /// Run only the variant with this name; repeatable [default: all]
    #[arg(long = "arm", value_name = "NAME")]
    pub arms: Vec<String>,
    /// Compare only these measures, by name or as MODE.MEASURE; Holm's correction covers them and
    /// the variants [default: the main measures]
    #[arg(long, value_delimiter = ',', value_name = "MEASURES")]
    pub measures: Vec<String>,
    /// Write the table as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub questions: QuestionArgs,
    #[command(flatten)]
    pub reader: ReaderArgs,
}

pub fn run(args: &AblateArgs, common: &Common) -> Result<Verdict> {
    let options = Options {
        modes: Some(args.modes.clone()),
        ..Options::evaluation(&args.pipeline, &args.reader, &args.questions)
    };
    let settings = Settings::resolve(common, &options)?;
    let filter = MeasureFilter::parse(&args.measures)?;
    let variants = chosen(&args.arms, variants(&settings)?)?;
    let kb = args.pipeline.kb.as_ref();
    let questions = Questions::load(&args.questions, kb, &settings, common)?;
    let builder = builder(common)?;
    // Every model is found before the first variant runs.
    for Variant { name, settings } in &variants {
        let checked = builder.check(&settings.pipeline(), settings.reads());
        checked.with_context(|| format!("variant `{name}`"))?;
    }
    let mut evaluation = Evaluation::new(&questions, common, builder);
    let mut stored: Vec<(String, StoredRun)> = Vec::new();
    let (mut on_page, mut chunks) = (Vec::new(), Vec::new());
    for (at, Variant { name, settings }) in variants.iter().enumerate() {
        note(common.quiet, &format!("variant {} of {}: {name}", at + 1, variants.len()));
        let start = Start { resume: None, note: Some(name), is_variant: true, at: Instant::now() };
        let (pipeline, finished) = evaluation
            .run(settings, &start, &mut |_| {})
            .with_context(|| format!("variant `{name}`"))?;
        if evaluation.is_stopped() {
            bail!(
                "stopped in variant `{name}`; the {} before it are stored, see `fiel runs`",
                stored.len()
            );
        }
        on_page.push(OnPage { label: Some(name.clone()), ..OnPage::of(&finished) });
        let is_same = |set: &ChunkTexts| set.chunks_sha256 == pipeline.chunks_digest();
        if !chunks.iter().any(is_same) {
            chunks.push(chunk_texts(&pipeline));
        }
        let (summary, records) = (finished.summary, finished.records);
        stored.push((name.clone(), StoredRun { summary, records }));
    }
    let columns = columns(&stored, &filter)?;
    let table = ablation(&stored, &columns, settings.eval.seed)?;
    if let Some(path) = &args.markdown {
        std::fs::write(path, ablation_markdown(&table))
            .with_context(|| path.display().to_string())?;
    }
    let sources =
        Sources { chunks, evidence: evidence(&questions.gold.gold), ..Sources::default() };
    let page = write_page(on_page, sources, "ablation.html", settings.eval.seed)?;
    show(common, &table, || format!("{}\n{}\n", ablation_screen(&table, style()), page.display()))
}

/// The variants with these names, in their own order; all if no name is given.
fn chosen(names: &[String], variants: Vec<Variant>) -> Result<Vec<Variant>> {
    let is_known = |name: &&String| variants.iter().any(|variant| variant.name == **name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known: Vec<String> = variants.iter().map(|v| format!("\"{}\"", v.name)).collect();
        bail!("--arm \"{unknown}\": unknown variant; expected one of {}", known.join(", "));
    }
    let is_chosen = |variant: &Variant| names.is_empty() || names.contains(&variant.name);
    Ok(variants.into_iter().filter(is_chosen).collect())
}

/// The columns that the filter names and any variant has; without a filter, the main measures.
fn columns(stored: &[(String, StoredRun)], filter: &MeasureFilter) -> Result<Vec<Column>> {
    if let ([(_, first), ..], true) = (stored, filter.is_empty()) {
        return Ok(ablation_columns(first));
    }
    let measured = stored.iter().flat_map(|(_, run)| Table::of(&run.records).columns.into_keys());
    let columns: BTreeSet<Column> = measured.filter(|column| filter.matches(*column)).collect();
    if columns.is_empty() {
        bail!("--measures: no variant has such a measure; `fiel show RUN` lists those of a run");
    }
    Ok(columns.into_iter().collect())
}
