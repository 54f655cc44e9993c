use std::fmt::Write;

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_report::{counted, one_line};
use fiel_retrieval::{Explanation, Further, Hit, LegHit, Retrieved};
use serde::Serialize;

use crate::{
    args::{Common, ExplainArgs},
    commands::Verdict,
    output::{json, print, style},
    settings::Settings,
    workspace::{kb_path, pipeline, stock},
};

/// One chunk as JSON.
#[derive(Serialize)]
struct Explained {
    /// Rank in the list that is measured and read; null when it is not in it.
    rank: Option<usize>,
    score: Option<f64>,
    #[serde(flatten)]
    why: Explanation,
    bm25_rank: Option<usize>,
    dense_rank_in_list: Option<usize>,
    rewrite_rank: Option<usize>,
    rerank_rank: Option<usize>,
    rerank_score: Option<f64>,
    passage: String,
}

pub fn run(args: &ExplainArgs, mut settings: Settings, common: &Common) -> Result<Verdict> {
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    if args.k == 0 {
        bail!("-k is 0: it must be at least 1");
    }
    // A chunk may have been found and cut off; the whole list of the fusion is looked at.
    let shown = settings.retrieve.top_k;
    settings.retrieve.top_k = settings.retrieve.depth;
    let kb = KnowledgeBase::load(&kb_path(&settings.kb))?;
    let pipeline = pipeline(&kb, &settings, false, &mut stock(common)?, common.quiet)?;
    let found = pipeline.retrieve(&args.question)?;
    let chunks = pipeline.retriever().chunks();
    let wanted: Vec<usize> = match &args.chunk {
        None => found
            .hits
            .iter()
            .take(args.k)
            .map(|hit| hit.chunk)
            .collect(),
        Some(id) => {
            let of = |(at, chunk): (usize, &fiel_corpus::Chunk)| {
                (chunk.id == *id || chunk.doc == *id).then_some(at)
            };
            chunks.iter().enumerate().filter_map(of).collect()
        }
    };
    if let (Some(id), true) = (&args.chunk, wanted.is_empty()) {
        bail!(
            "{id}: there is no such chunk or document in {}; `fiel search` shows ids",
            kb.name
        );
    }
    let mut all = Vec::new();
    for at in wanted {
        let why = pipeline.explain(&args.question, at)?;
        let place = found.hits.iter().position(|hit| hit.chunk == at);
        let hit = place.map(|place| &found.hits[place]);
        all.push(explained(place, hit, why, chunks[at].passage()));
    }
    if common.json {
        json(&all)?;
        return Ok(Verdict::Good);
    }
    print(&screen(&all, &found, &settings, shown))?;
    Ok(Verdict::Good)
}

fn explained(
    place: Option<usize>,
    hit: Option<&Hit>,
    why: Explanation,
    passage: String,
) -> Explained {
    let leg = |of: fn(&Hit) -> Option<LegHit>| hit.and_then(of);
    Explained {
        rank: place.map(|at| at + 1),
        score: hit.map(|hit| hit.score),
        bm25_rank: leg(|h| h.bm25).map(|l| l.rank),
        dense_rank_in_list: leg(|h| h.dense).map(|l| l.rank),
        rewrite_rank: leg(|h| h.rewrite).map(|l| l.rank),
        rerank_rank: leg(|h| h.rerank).map(|l| l.rank),
        rerank_score: leg(|h| h.rerank).map(|l| l.score),
        why,
        passage,
    }
}

fn screen(all: &[Explained], found: &Retrieved, settings: &Settings, shown: usize) -> String {
    let style = style();
    let mut out = String::new();
    for (what, text) in [
        ("searched for", &found.rewritten),
        ("keywords", &found.keywords),
    ] {
        if let Some(text) = text {
            let _ = writeln!(out, "{what}: {text}");
        }
    }
    if all.is_empty() {
        out.push_str("nothing was found\n");
    }
    for one in all {
        let place = match one.rank {
            None => "not found by any leg".to_owned(),
            Some(rank) if rank > shown => format!("{rank}, below the {shown} that are kept"),
            Some(rank) => rank.to_string(),
        };
        let _ = writeln!(out, "{}  rank {place}", style.bold(&one.why.chunk));
        let _ = writeln!(
            out,
            "  {}",
            one_line(&one.passage, style.width.saturating_sub(2))
        );
        let rank = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
        let _ = writeln!(
            out,
            "  bm25    {:.4}, rank {}",
            one.why.bm25,
            rank(one.bm25_rank)
        );
        for term in &one.why.terms {
            let title = match term.title > 0.0 {
                true => format!(" + {:.4} by the title", term.title),
                false => String::new(),
            };
            let _ = writeln!(
                out,
                "            {:<20} {:.4}{title}  (weight {:.3}, in {})",
                term.term,
                term.body,
                term.weight,
                counted(term.texts as usize, "text")
            );
        }
        for (further, part) in &one.why.further {
            let what = match further {
                Further::Title => "words of the title",
                Further::Exact => "words as written",
                Further::Pairs => "pairs of words",
                Further::Grams => "letters of words",
            };
            let _ = writeln!(out, "            {what:<20} {part:.4}");
        }
        if let (Some(cosine), Some(place)) = (one.why.cosine, one.why.dense_rank) {
            let _ = writeln!(
                out,
                "  dense   cosine {cosine:.4}, rank {place} by an exact scan"
            );
        }
        if one.rewrite_rank.is_some() {
            let _ = writeln!(out, "  keywords  rank {}", rank(one.rewrite_rank));
        }
        let retrieve = &settings.retrieve;
        let fusion = match retrieve.mode {
            fiel_retrieval::Mode::Hybrid => format!("{:?}", retrieve.fusion).to_lowercase(),
            _ => "of the only leg".to_owned(),
        };
        if let Some(score) = one.rerank_score {
            let _ = writeln!(
                out,
                "  rerank  {score:.4}, rank {} of {}, weight {}",
                rank(one.rerank_rank),
                settings.rerank.depth,
                settings.rerank.weight
            );
        }
        if let Some(score) = one.score {
            let _ = writeln!(out, "  score   {score:.4} ({fusion})");
        }
    }
    out
}
