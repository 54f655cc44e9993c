//! `fiel search`

use anyhow::{Result, bail};
use clap::Args;
use fiel_record::SearchHit;
use fiel_report::{SearchedText, search_screen};

use crate::{
    args::{Common, PipelineArgs},
    output::{show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel search \"past of buy\" -k 3\n  \
    fiel search \"past partciple of eat\" --rewrite typo\n  \
    fiel search \"past of buy\" --mode bm25 --json")]
pub struct SearchArgs {
    /// Question
    pub question: String,
    /// Number of passages to show [default: 10]
    #[arg(short, long, value_name = "K")]
    pub k: Option<usize>,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
}

pub fn run(args: &SearchArgs, common: &Common) -> Result<Verdict> {
    let options = Options { top_k: args.k, ..Options::retrieval(&args.pipeline) };
    let settings = Settings::resolve(common, &options)?;
    settings.retrieve.check()?;
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    let kb = load_kb(&settings.kb, common)?;
    let pipeline = pipeline(&kb, &settings, false, &mut builder(common)?, common.quiet)?;
    let retrieved = pipeline.retrieve(&args.question)?;
    let chunks = pipeline.retriever().chunks();
    let hits = (1..).zip(&retrieved.hits).map(|(rank, hit)| SearchHit {
        rank,
        chunk: chunks[hit.chunk].id.clone(),
        score: hit.score,
        bm25_rank: hit.bm25.map(|leg| leg.rank),
        bm25_score: hit.bm25.map(|leg| leg.score),
        dense_rank: hit.dense.map(|leg| leg.rank),
        dense_score: hit.dense.map(|leg| leg.score),
        rewrite_rank: hit.rewrite.map(|leg| leg.rank),
        rerank_rank: hit.rerank.map(|leg| leg.rank),
        rerank_score: hit.rerank.map(|leg| leg.score),
        passage: chunks[hit.chunk].passage(),
    });
    let hits: Vec<SearchHit> = hits.collect();
    let searched = SearchedText {
        rewritten: retrieved.rewritten.as_deref(),
        keywords: retrieved.keywords.as_deref(),
    };
    show(common, &hits, || search_screen(&hits, searched, style()))
}
