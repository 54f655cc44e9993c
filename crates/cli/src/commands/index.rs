use anyhow::Result;
use fiel_corpus::KnowledgeBase;
use serde::Serialize;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print},
    settings::Settings,
    workspace::{kb_path, pipeline, stock},
};

#[derive(Serialize)]
struct Indexed {
    kb: String,
    documents: usize,
    chunks: usize,
    embedded_now: usize,
    longer_than_the_embedder_reads: usize,
    dense: String,
}

pub fn run(settings: &Settings, common: &Common) -> Result<Verdict> {
    let kb = KnowledgeBase::load(&kb_path(&settings.kb))?;
    let pipeline = pipeline(&kb, settings, false, &mut stock(common)?, common.quiet)?;
    let indexed = Indexed {
        kb: kb.name.clone(),
        documents: kb.documents.len(),
        chunks: pipeline.retriever().chunks().len(),
        embedded_now: pipeline.embedded_now(),
        longer_than_the_embedder_reads: pipeline.cut_chunks(),
        dense: match pipeline.retriever().dense_kind() {
            Some(kind) => kind.to_string(),
            None => "none".to_owned(),
        },
    };
    if common.json {
        json(&indexed)?;
    } else {
        let embedded = match pipeline.retriever().dense_kind() {
            None => "none embedded, for BM25 needs no vectors".to_owned(),
            Some(kind) => format!(
                "{} embedded now and {} from the cache; dense search: {kind}",
                indexed.embedded_now,
                indexed.chunks.saturating_sub(indexed.embedded_now),
            ),
        };
        print(&format!(
            "{}: {} documents, {} chunks, {embedded}\n",
            indexed.kb, indexed.documents, indexed.chunks,
        ))?;
    }
    Ok(Verdict::Good)
}
