use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_report::one_line;
use fiel_retrieval::LegHit;
use serde::Serialize;

use crate::{
    args::{Common, SearchArgs},
    commands::Verdict,
    output::{json, print, style},
    settings::Settings,
    workspace::{kb_path, pipeline, stock},
};

#[derive(Serialize)]
struct Found<'a> {
    rank: usize,
    chunk: &'a str,
    score: f64,
    bm25_rank: Option<usize>,
    bm25_score: Option<f64>,
    dense_rank: Option<usize>,
    dense_score: Option<f64>,
    rewrite_rank: Option<usize>,
    rerank_rank: Option<usize>,
    rerank_score: Option<f64>,
    passage: String,
}

pub fn run(args: &SearchArgs, mut settings: Settings, common: &Common) -> Result<Verdict> {
    if let Some(k) = args.k {
        settings.retrieve.top_k = k;
        settings.retrieve.depth = settings.retrieve.depth.max(k);
        settings.read.context_k = settings.read.context_k.min(k);
    }
    settings.retrieve.check()?;
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    let kb = KnowledgeBase::load(&kb_path(&settings.kb))?;
    let pipeline = pipeline(&kb, &settings, false, &mut stock(common)?, common.quiet)?;
    let retrieved = pipeline.retrieve(&args.question)?;
    let chunks = pipeline.retriever().chunks();
    let found = retrieved.hits.iter().enumerate().map(|(at, hit)| Found {
        rank: at + 1,
        chunk: &chunks[hit.chunk].id,
        score: hit.score,
        bm25_rank: hit.bm25.map(|l| l.rank),
        bm25_score: hit.bm25.map(|l| l.score),
        dense_rank: hit.dense.map(|l| l.rank),
        dense_score: hit.dense.map(|l| l.score),
        rewrite_rank: hit.rewrite.map(|l| l.rank),
        rerank_rank: hit.rerank.map(|l| l.rank),
        rerank_score: hit.rerank.map(|l| l.score),
        passage: chunks[hit.chunk].passage(),
    });
    if common.json {
        json(&found.collect::<Vec<_>>())?;
        return Ok(Verdict::Good);
    }
    let mut out = String::new();
    for (what, text) in [
        ("searched for", &retrieved.rewritten),
        ("keywords", &retrieved.keywords),
    ] {
        if let Some(text) = text {
            out.push_str(&format!("{what}: {text}\n"));
        }
    }
    for (found, hit) in found.zip(&retrieved.hits) {
        out.push_str(&format!(
            "{:>2}. {}  score {:.4}, bm25 {}, dense {}{}\n",
            found.rank,
            found.chunk,
            found.score,
            leg(hit.bm25),
            leg(hit.dense),
            hit.rerank
                .map_or(String::new(), |_| format!(", rerank {}", leg(hit.rerank)))
        ));
        out.push_str(&format!(
            "    {}\n",
            one_line(&found.passage, style().width.saturating_sub(4))
        ));
    }
    if retrieved.hits.is_empty() {
        out.push_str("nothing was found\n");
    }
    print(&out)?;
    Ok(Verdict::Good)
}

fn leg(hit: Option<LegHit>) -> String {
    hit.map_or("-".to_owned(), |hit| {
        format!("{} ({:.3})", hit.rank, hit.score)
    })
}
