use std::path::{Path, PathBuf};

use anyhow::Result;
use fiel_corpus::KnowledgeBase;
use fiel_eval::RunFolder;
use fiel_models::{Store, StoreOptions};
use fiel_reader::{Observer, Pipeline, PipelineBuilder, PipelineSettings, Progress as Step};
use fiel_store::{GENERATED, GeneratedFolder};

use crate::{args::Common, output::note, progress::Progress, settings::Settings};

pub fn runs() -> PathBuf {
    GeneratedFolder::Runs.path(Path::new(GENERATED))
}

/// A run by its id, the beginning of one, `last`, or its folder.
pub fn find_run(id: &str) -> Result<RunFolder> {
    let path = Path::new(id);
    if path.join("summary.json").is_file() {
        return Ok(RunFolder {
            id: id.to_owned(),
            path: path.to_owned(),
        });
    }
    Ok(RunFolder::find(&runs(), id)?)
}

/// `verbs` means `kb/verbs`; anything that is a folder is taken as such.
pub fn kb_path(name: &str) -> PathBuf {
    let below = Path::new("kb").join(name);
    // What is written as a path is reported as it was written.
    let is_path = name.contains(['/', '\\']);
    if below.is_dir() || (!is_path && !Path::new(name).is_dir()) {
        below
    } else {
        PathBuf::from(name)
    }
}

/// `verbs` means `gold/verbs.jsonl`; a path that ends in `.jsonl` is taken as such.
pub fn gold_path(name: &str) -> PathBuf {
    match name.ends_with(".jsonl") {
        true => PathBuf::from(name),
        false => Path::new("gold").join(format!("{name}.jsonl")),
    }
}

pub fn store(common: &Common) -> Result<Store> {
    let options = StoreOptions {
        offline: common.offline,
        quiet: common.quiet,
        ..StoreOptions::from_env()
    };
    Ok(Store::new(options)?)
}

/// A builder of pipelines that caches below [`GENERATED`].
pub fn stock(common: &Common) -> Result<PipelineBuilder> {
    Ok(PipelineBuilder::new(store(common)?, Path::new(GENERATED)))
}

/// Cuts, embeds and indexes, with progress. `reads`: whether questions are answered.
pub fn pipeline(
    kb: &KnowledgeBase,
    settings: &Settings,
    reads: bool,
    stock: &mut PipelineBuilder,
    quiet: bool,
) -> Result<Pipeline> {
    build(kb, &settings.pipeline(), reads, stock, quiet)
}

/// The same with the settings of a pipeline alone.
pub fn build(
    kb: &KnowledgeBase,
    settings: &PipelineSettings,
    reads: bool,
    stock: &mut PipelineBuilder,
    quiet: bool,
) -> Result<Pipeline> {
    let mut bar: Option<Progress> = None;
    let mut on = |step| {
        if let Step::Embedding(done, of) = step {
            bar.get_or_insert_with(|| Progress::terminal("embedding", quiet))
                .at(done, of);
        }
    };
    let built = stock.build(kb, settings, reads, &mut Observer::of_progress(&mut on));
    if let Some(bar) = bar {
        bar.clear();
    }
    let pipeline = built?;
    let blank = pipeline.blank_documents();
    if !blank.is_empty() {
        note(
            quiet,
            &format!(
                "note: {} documents have no text: {}",
                blank.len(),
                blank.join(", ")
            ),
        );
    }
    if pipeline.cut_chunks() > 0 {
        let text = format!(
            "note: {} chunks are longer than the embedder reads; only their beginning is embedded. \
             Lower chunk.size",
            pipeline.cut_chunks()
        );
        note(quiet, &text);
    }
    Ok(pipeline)
}
