//! `fiel explain`

use anyhow::{Result, bail};
use clap::Args;
use fiel_record::{ExplainedChunk, ExplainedTerm};
use fiel_report::{ExplainOptions, SearchedText, explain_screen};
use fiel_retrieval::{Explanation, Hit, ListPlace, Mode, TermScore};
use serde::Serialize;

use crate::{
    args::{Common, PipelineArgs},
    output::{show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel explain \"past of buy\"\n  \
    fiel explain \"past of buy\" verb-bring#2\n  fiel explain \"past of buy\" --rerank late -k 1")]
pub struct ExplainArgs {
    /// Question
    pub question: String,
    /// Id of the chunk to explain, or of a document for all its chunks [default: the first K
    /// passages found]
    pub chunk: Option<String>,
    /// Number of passages to explain
    #[arg(short, long, value_name = "K", default_value_t = 3, conflicts_with = "chunk")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub k: u32,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
}

pub fn run(args: &ExplainArgs, common: &Common) -> Result<Verdict> {
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    let mut settings = Settings::resolve(common, &Options::retrieval(&args.pipeline))?;
    let options = ExplainOptions {
        top_k: settings.retrieve.top_k,
        hybrid: settings.retrieve.mode == Mode::Hybrid,
        rerank_depth: settings.rerank.depth,
        rerank_weight: settings.rerank.weight,
    };
    // The whole fused list is searched, because the chunk may be below the passages returned.
    settings.retrieve.top_k = settings.retrieve.depth;
    let kb = load_kb(&settings.kb, common)?;
    let pipeline = pipeline(&kb, &settings, false, &mut builder(common)?, common.quiet)?;
    let found = pipeline.retrieve(&args.question)?;
    let chunks = pipeline.retriever().chunks();
    let chosen: Vec<usize> = match &args.chunk {
        None => found.hits.iter().take(args.k as usize).map(|hit| hit.chunk).collect(),
        Some(id) => {
            let is_chosen = |at: &usize| chunks[*at].id == *id || chunks[*at].doc == *id;
            (0..chunks.len()).filter(is_chosen).collect()
        }
    };
    if let (Some(id), true) = (&args.chunk, chosen.is_empty()) {
        bail!("{id}: no such chunk or document in {}; `fiel search` shows ids", kb.name);
    }
    let mut explained = Vec::new();
    for at in chosen {
        let explanation = pipeline.explain(&args.question, at)?;
        let hit = (1..).zip(&found.hits).find(|(_, hit)| hit.chunk == at);
        explained.push(merged(explanation, hit, chunks[at].passage()));
    }
    let searched =
        SearchedText { rewritten: found.rewritten.as_deref(), keywords: found.keywords.as_deref() };
    show(common, &explained, || explain_screen(&explained, searched, options, style()))
}

/// An explanation with the chunk's rank and hit, if it was found.
fn merged(
    explanation: Explanation,
    found: Option<(usize, &Hit)>,
    passage: String,
) -> ExplainedChunk {
    let leg = |leg: fn(&Hit) -> Option<ListPlace>| found.and_then(|(_, hit)| leg(hit));
    let bm25 = explanation.bm25.score();
    let term = |term: TermScore| ExplainedTerm {
        term: term.term,
        weight: f64::from(term.weight),
        texts: term.texts,
        body: term.body,
        title: term.title,
    };
    let fields = explanation.bm25.fields.into_iter();
    ExplainedChunk {
        rank: found.map(|(rank, _)| rank),
        score: found.map(|(_, hit)| hit.score),
        chunk: explanation.chunk,
        terms: explanation.bm25.terms.into_iter().map(term).collect(),
        further: fields.map(|(field, score)| (key(field), score)).collect(),
        bm25,
        cosine: explanation.cosine,
        dense_rank: explanation.dense_rank,
        fusion: key(explanation.fusion),
        bm25_rank: leg(|hit| hit.bm25).map(|leg| leg.rank),
        dense_rank_in_list: leg(|hit| hit.dense).map(|leg| leg.rank),
        rewrite_rank: leg(|hit| hit.rewrite).map(|leg| leg.rank),
        rerank_rank: leg(|hit| hit.rerank).map(|leg| leg.rank),
        rerank_score: leg(|hit| hit.rerank).map(|leg| leg.score),
        passage,
    }
}

/// An enum value as the settings file spells it.
fn key(value: impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
