//! `fiel gold import`

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use fiel_gold::{
    ChunkPlaces, Destination, Imported, Rows, import_beir, import_clapnq, import_squad,
    import_trec, write_import,
};
use fiel_report::import_screen;
use fiel_text::Lang;

use crate::{
    args::Common,
    output::{json, note, print},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, gold_path, kb_path, load_kb, pipeline},
};

/// Number of left-out entries to show; `--json` lists them all.
const SHOWN: usize = 20;

#[derive(Subcommand, Debug)]
pub enum ImportCommand {
    /// Import a table of questions with ids of relevant chunks or documents, and answers
    #[command(
        after_help = "JSON, JSON Lines, CSV or TSV. Columns, ignoring case, `_` and `-`:\n  \
        question | query | input | user_input        The question\n  \
        chunk_id | relevant_ids | relevantDocs | …   Relevant ids; doc#n is a chunk of Fiel\n  \
        answer | answers | reference | ground_truth  The references\n  \
        answerContains, tags, lang, unanswerable, id\n\n\
        Examples:\n  fiel gold import rows mine triples.csv --kb docs\n  \
        fiel gold import rows mine eval.json --kb docs --chunks chunks.jsonl"
    )]
    Rows(RowsArgs),
    /// Import a BEIR folder (corpus.jsonl, queries.jsonl, qrels/*.tsv) with its documents
    #[command(after_help = "Examples:\n  fiel gold import beir scifact data/scifact\n  \
        fiel gold import beir scifact data/scifact --dev 100 --test 200 --force")]
    Beir(FolderArgs),
    /// Import SQuAD JSON, v1.1 or 2.0, with its paragraphs as documents
    #[command(after_help = "Examples:\n  fiel gold import squad xquad data/xquad.en.json\n  \
        fiel gold import squad xquad-es data/xquad.es.json --lang es")]
    Squad(FolderArgs),
    /// Import CLAPnq JSON Lines with their passages as documents
    #[command(
        after_help = "Example:\n  fiel gold import clapnq clapnq data/answerable.jsonl data/unanswerable.jsonl"
    )]
    Clapnq(FilesArgs),
    /// Import TREC topics and qrels for an existing knowledge base
    #[command(
        after_help = "Example:\n  fiel gold import trec robust topics.txt qrels.txt --kb robust"
    )]
    Trec(TrecArgs),
}

#[derive(Args, Debug)]
pub struct TargetArgs {
    /// Name of the new gold set, and of the knowledge base that comes with it
    #[arg(value_name = "NAME")]
    name: String,
    /// Language of questions and documents: en, es, or another code
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: Lang,
    /// Replace gold/NAME.jsonl, and kb/NAME if the source has documents
    #[arg(long)]
    force: bool,
    /// Put N questions into the dev split, chosen by the SHA-256 of their ids [default: a third]
    #[arg(long, value_name = "N", requires = "test")]
    dev: Option<usize>,
    /// Put N further questions into the test split and leave out the others [default: all others]
    #[arg(long, value_name = "N", requires = "dev")]
    test: Option<usize>,
}

#[derive(Args, Debug)]
pub struct FilesArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Source files
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct FolderArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Source
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

#[derive(Args, Debug)]
pub struct RowsArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Table of questions
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Knowledge base of the ids [default: that of the settings]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// Chunks of another system: a table with the columns `id` and `text` [default: chunks of Fiel]
    #[arg(long, value_name = "FILE")]
    chunks: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct TrecArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Topics: <top> blocks, or lines of an id, a tab and a question
    #[arg(value_name = "TOPICS")]
    topics: PathBuf,
    /// Relevance judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// Knowledge base of the judged documents [default: that of the settings]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
}

pub fn run(command: &ImportCommand, common: &Common) -> Result<Verdict> {
    let settings = &Settings::resolve(common, &Options::default())?;
    match command {
        ImportCommand::Beir(args) => {
            with_documents(&args.target, common, |lang| Ok(import_beir(&args.path, lang)?))
        }
        ImportCommand::Squad(args) => {
            with_documents(&args.target, common, |lang| Ok(import_squad(&args.path, lang)?))
        }
        ImportCommand::Clapnq(args) => {
            with_documents(&args.target, common, |lang| Ok(import_clapnq(&args.paths, lang)?))
        }
        ImportCommand::Trec(args) => {
            let kb = args.kb.as_ref().unwrap_or(&settings.kb);
            let to = existing(&args.target, kb)?;
            let kb = load_kb(kb, common)?;
            let imported = import_trec(&args.topics, &args.qrels, &kb, args.target.lang)?;
            finish(imported, &args.target, &to, common)
        }
        ImportCommand::Rows(args) => {
            let kb = args.kb.as_ref().unwrap_or(&settings.kb);
            let to = existing(&args.target, kb)?;
            let kb = load_kb(kb, common)?;
            let rows = Rows::read(&args.path)?;
            let chunks = match &args.chunks {
                Some(path) => ChunkPlaces::read(path, &kb)?,
                // The borders of our own chunks depend on the settings and the tokenizer.
                None if rows.name_chunks(&kb) => {
                    let built =
                        pipeline(&kb, settings, false, &mut builder(common)?, common.quiet)?;
                    ChunkPlaces::of(built.retriever().chunks())
                }
                None => ChunkPlaces::default(),
            };
            let imported = rows.import(&kb, &chunks, args.target.lang);
            finish(imported, &args.target, &to, common)
        }
    }
}

/// Imports questions together with their documents.
fn with_documents(
    target: &TargetArgs,
    common: &Common,
    import: impl FnOnce(Lang) -> Result<Imported>,
) -> Result<Verdict> {
    let to = destination(target, None)?;
    to.check(true)?;
    finish(import(target.lang)?, target, &to, common)
}

/// Where questions for an existing knowledge base go.
fn existing(target: &TargetArgs, kb: &str) -> Result<Destination> {
    let to = destination(target, Some(kb))?;
    to.check(false)?;
    Ok(to)
}

fn destination(target: &TargetArgs, kb: Option<&str>) -> Result<Destination> {
    // The name becomes a folder and a file, which must be inside kb/ and gold/.
    let is_plain = !target.name.is_empty()
        && !target.name.starts_with('.')
        && !target.name.contains(['/', '\\']);
    let is_file = kb.is_some() && target.name.ends_with(".jsonl");
    if !is_plain && !is_file {
        bail!(
            "`{}` cannot name a gold set: a name has no slash and does not start with a dot",
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
    target: &TargetArgs,
    to: &Destination,
    common: &Common,
) -> Result<Verdict> {
    if let (Some(dev), Some(test)) = (target.dev, target.test) {
        imported.sample(dev, test);
    }
    if !common.json {
        for entry in imported.result.refused.iter().take(SHOWN) {
            let (place, what) = (entry.file.display(), &entry.what);
            let text = format!("{place}:{}: {what} left out: {}", entry.line, entry.reason);
            note(common.quiet, &text);
        }
        if let Some(more) = imported.result.refused.len().checked_sub(SHOWN).filter(|n| *n > 0) {
            let text = format!("and {more} more; --json lists them all");
            note(common.quiet, &text);
        }
    }
    write_import(&imported, to)?;
    if common.json {
        json(&imported.result)?;
        return Ok(Verdict::Good);
    }
    let mut out = import_screen(&imported.result);
    if !imported.documents.is_empty() {
        out.push_str(&format!("{}\n", to.kb.display()));
    }
    print(&format!("{out}{}\n", to.gold.display()))?;
    Ok(Verdict::Good)
}
