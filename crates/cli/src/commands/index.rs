//! `fiel index`

use anyhow::Result;
use clap::Args;
use fiel_record::IndexResult;
use fiel_report::index_screen;

use crate::{
    args::{Common, PipelineArgs},
    output::show,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel index\n  fiel index --kb my/docs --chunker sentence\n  \
    fiel index --kb laboral --chunk-size 256\n\n\
    Other commands do the same on first use; embeddings are cached in .fiel/embeddings.")]
pub struct IndexArgs {
    #[command(flatten)]
    pub pipeline: PipelineArgs,
}

pub fn run(args: &IndexArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::retrieval(&args.pipeline))?;
    let kb = load_kb(&settings.kb, common)?;
    let pipeline = pipeline(&kb, &settings, false, &mut builder(common)?, common.quiet)?;
    let dense = pipeline.built().index.dense_kind();
    let result = IndexResult {
        kb: kb.name.clone(),
        documents: kb.documents.len(),
        chunks: pipeline.retriever().chunks().len(),
        embedded_now: pipeline.built().newly_embedded,
        longer_than_the_embedder_reads: pipeline.built().truncated_texts,
        dense: dense.map_or("none".to_owned(), |kind| kind.to_string()),
    };
    show(common, &result, || index_screen(&result))
}
