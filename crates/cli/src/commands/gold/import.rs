use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use fiel_corpus::KnowledgeBase;
use fiel_eval::{
    ChunkPlaces, Destination, Imported, Rows, import_beir, import_clapnq, import_squad,
    import_trec, write_import,
};
use fiel_metrics::Lang;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, note, print},
    settings::Settings,
    workspace::{gold_path, kb_path, pipeline, stock},
};

/// Lines that are shown of what was left out; `--json` has them all.
const SHOWN: usize = 20;

#[derive(Subcommand, Debug)]
pub enum ImportCommand {
    /// A table of questions with ids of relevant chunks or documents, and answers
    #[command(
        after_help = "JSON, JSON lines, CSV or TSV. Columns, letter case, `_` and `-` apart:\n  \
        question | query | input | user_input       the question\n  \
        chunk_id | relevant_ids | relevantDocs | …   what is relevant to it; doc#n is a chunk of Fiel\n  \
        answer | answers | reference | ground_truth  the references\n  \
        answerContains, tags, lang, unanswerable, id\n\n\
        Examples:\n  fiel gold import rows mine triples.csv --kb docs\n  \
        fiel gold import rows mine eval.json --kb docs --chunks chunks.jsonl"
    )]
    Rows(RowsArgs),
    /// A BEIR folder: corpus.jsonl, queries.jsonl, qrels/*.tsv; makes a knowledge base too
    #[command(after_help = "Example:\n  fiel gold import beir scifact data/scifact")]
    Beir(FolderArgs),
    /// SQuAD JSON, v1.1 or 2.0; makes a knowledge base of its paragraphs too
    #[command(after_help = "Example:\n  fiel gold import squad xquad data/xquad.en.json")]
    Squad(FolderArgs),
    /// CLAPnq JSON lines: questions that bring their passages with them
    #[command(
        after_help = "Example:\n  fiel gold import clapnq clapnq data/answerable.jsonl data/unanswerable.jsonl"
    )]
    Clapnq(FilesArgs),
    /// TREC topics and qrels for a knowledge base that is there
    #[command(
        after_help = "Example:\n  fiel gold import trec robust topics.txt qrels.txt --kb robust"
    )]
    Trec(TrecArgs),
}

#[derive(Args, Debug)]
pub struct Target {
    /// Name of the new gold set, and of the knowledge base that comes with it
    #[arg(value_name = "NAME")]
    name: String,
    /// Language of questions and documents
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: Lang,
    /// Replace gold/NAME.jsonl, and kb/NAME where the source has documents
    #[arg(long)]
    force: bool,
    /// Take this many questions for development, in the order of the SHA-256 of their ids
    /// [default: a third of all, by the same digest]
    #[arg(long, value_name = "N", requires = "test")]
    dev: Option<usize>,
    /// And after them this many for test; the others are left out
    #[arg(long, value_name = "N", requires = "dev")]
    test: Option<usize>,
}

#[derive(Args, Debug)]
pub struct FilesArgs {
    #[command(flatten)]
    target: Target,
    /// The sources
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct FolderArgs {
    #[command(flatten)]
    target: Target,
    /// The source
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

#[derive(Args, Debug)]
pub struct RowsArgs {
    #[command(flatten)]
    target: Target,
    /// The table
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Knowledge base that the ids are of [default: that of the settings]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// Chunks of another system: a table with the columns `id` and `text`
    #[arg(long, value_name = "FILE")]
    chunks: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct TrecArgs {
    #[command(flatten)]
    target: Target,
    /// Topics: <top> blocks, or lines of id, tab, question
    #[arg(value_name = "TOPICS")]
    topics: PathBuf,
    /// Judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// Knowledge base that the documents are of [default: that of the settings]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
}

pub fn run(command: &ImportCommand, settings: &Settings, common: &Common) -> Result<Verdict> {
    match command {
        ImportCommand::Beir(args) => {
            let to = destination(&args.target, None)?;
            to.check(true)?;
            finish(
                import_beir(&args.path, args.target.lang)?,
                &args.target,
                &to,
                common,
            )
        }
        ImportCommand::Squad(args) => {
            let to = destination(&args.target, None)?;
            to.check(true)?;
            finish(
                import_squad(&args.path, args.target.lang)?,
                &args.target,
                &to,
                common,
            )
        }
        ImportCommand::Clapnq(args) => {
            let to = destination(&args.target, None)?;
            to.check(true)?;
            let imported = import_clapnq(&args.paths, args.target.lang)?;
            finish(imported, &args.target, &to, common)
        }
        ImportCommand::Trec(args) => {
            let name = args.kb.as_ref().unwrap_or(&settings.kb);
            let to = destination(&args.target, Some(name))?;
            to.check(false)?;
            let kb = KnowledgeBase::load(&to.kb)?;
            let imported = import_trec(&args.topics, &args.qrels, &kb, args.target.lang)?;
            finish(imported, &args.target, &to, common)
        }
        ImportCommand::Rows(args) => {
            let name = args.kb.as_ref().unwrap_or(&settings.kb);
            let to = destination(&args.target, Some(name))?;
            to.check(false)?;
            let kb = KnowledgeBase::load(&to.kb)?;
            let rows = Rows::read(&args.path)?;
            let chunks = match &args.chunks {
                Some(path) => ChunkPlaces::read(path, &kb)?,
                // Where our own chunks begin and end, the settings and the tokenizer decide.
                None if rows.name_chunks(&kb) => {
                    let built = pipeline(&kb, settings, false, &mut stock(common)?, common.quiet)?;
                    ChunkPlaces::of(built.retriever().chunks())
                }
                None => ChunkPlaces::default(),
            };
            finish(
                rows.import(&kb, &chunks, args.target.lang),
                &args.target,
                &to,
                common,
            )
        }
    }
}

fn destination(target: &Target, kb: Option<&String>) -> Result<Destination> {
    // A name becomes a folder and a file; anything else could reach outside of kb/ and gold/.
    let is_plain = !target.name.is_empty()
        && !target.name.starts_with('.')
        && !target.name.contains(['/', '\\']);
    let is_file = kb.is_some() && target.name.ends_with(".jsonl");
    if !is_plain && !is_file {
        bail!(
            "`{}` is no name for a gold set: it may hold no slash and not begin with a dot",
            target.name
        );
    }
    Ok(Destination {
        gold: gold_path(&target.name),
        kb: match kb {
            Some(kb) => kb_path(kb),
            None => Path::new("kb").join(&target.name),
        },
        lang: target.lang.to_string(),
        force: target.force,
    })
}

fn finish(
    mut imported: Imported,
    target: &Target,
    to: &Destination,
    common: &Common,
) -> Result<Verdict> {
    if let (Some(dev), Some(test)) = (target.dev, target.test) {
        imported.sample(dev, test);
    }
    let report = &imported.report;
    if !common.json {
        for refused in report.refused.iter().take(SHOWN) {
            let text = format!(
                "{}:{}: {} left out: {}",
                refused.file.display(),
                refused.line,
                refused.what,
                refused.reason
            );
            note(common.quiet, &text);
        }
        if let Some(more) = report.refused.len().checked_sub(SHOWN).filter(|n| *n > 0) {
            note(
                common.quiet,
                &format!("and {more} more; --json lists them all"),
            );
        }
    }
    write_import(&imported, to)?;
    if common.json {
        json(report)?;
        return Ok(Verdict::Good);
    }
    let mut out = String::new();
    for (kind, counts) in &report.counts {
        let merged = match counts.merged {
            0 => String::new(),
            n => format!(", {n} joined to an earlier row"),
        };
        out.push_str(&format!(
            "{kind}: {} read, {} written{merged}, {} left out\n",
            counts.read, counts.written, counts.refused
        ));
    }
    if !report.renamed.is_empty() {
        out.push_str(&format!(
            "{} document ids cannot be file names and were changed; --json lists them\n",
            report.renamed.len()
        ));
    }
    for text in &report.notes {
        out.push_str(&format!("{text}\n"));
    }
    if !imported.documents.is_empty() {
        out.push_str(&format!("{}\n", to.kb.display()));
    }
    out.push_str(&format!("{}\n", to.gold.display()));
    print(&out)?;
    Ok(Verdict::Good)
}
