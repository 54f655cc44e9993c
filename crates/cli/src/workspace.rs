//! Where things are: runs, knowledge bases, gold sets, models; and the pipeline built from them.

use std::{
    path::{Path, PathBuf},
    sync::Once,
};

use anyhow::Result;
use fiel_corpus::KnowledgeBase;
use fiel_gold::Gold;
use fiel_models::{ModelStore, ModelStoreOptions};
use fiel_reader::{
    Observer, Pipeline, PipelineBuilder, PipelineProgress as Step, PipelineSettings,
};
use fiel_record::counted;
use fiel_runs::RunFolder;
use fiel_store::{GENERATED, GeneratedFolder};

use crate::{args::Common, output::note, progress::Progress, settings::Settings};

/// Folder of the stored runs.
pub fn runs() -> PathBuf {
    GeneratedFolder::Runs.path(Path::new(GENERATED))
}

/// Finds a run by its id, a prefix of its id, `last`, or its folder.
pub fn find_run(id: &str) -> Result<RunFolder> {
    let path = Path::new(id);
    if path.join("summary.json").is_file() {
        return Ok(RunFolder { id: id.to_owned(), path: path.to_owned() });
    }
    Ok(RunFolder::find(&runs(), id)?)
}

/// Loads a knowledge base by its name or folder, and says what is left out of it.
pub fn load_kb(name: &str, common: &Common) -> Result<KnowledgeBase> {
    let path = kb_path(name);
    let kb = if common.skip_bad {
        KnowledgeBase::load_readable(&path)?
    } else {
        KnowledgeBase::load(&path)?
    };
    for line in &kb.left_out {
        note(common.quiet, &format!("note: left out of {}: {line}", kb.name));
    }
    Ok(kb)
}

/// Loads the knowledge base of a stored run. The digest in the manifest of the run decides whether
/// it is the same, so what cannot be read is no error here.
pub fn load_stored_kb(name: &str) -> Result<KnowledgeBase> {
    Ok(KnowledgeBase::load_readable(&kb_path(name))?)
}

/// The folder of a knowledge base: `verbs` means `kb/verbs`, unless it is a folder itself.
pub fn kb_path(name: &str) -> PathBuf {
    let below = Path::new("kb").join(name);
    // A path is reported as it was typed.
    let is_path = name.contains(['/', '\\']);
    if below.is_dir() || (!is_path && !Path::new(name).is_dir()) {
        below
    } else {
        PathBuf::from(name)
    }
}

/// The file of a gold set: `verbs` means `gold/verbs.jsonl`, `x/y.jsonl` is a path.
pub fn gold_path(name: &str) -> PathBuf {
    if name.ends_with(".jsonl") {
        PathBuf::from(name)
    } else {
        Path::new("gold").join(format!("{name}.jsonl"))
    }
}

/// The knowledge base of a gold set: that of the command line, else that of the companion file, else
/// that of the settings.
pub fn kb_of(gold: &Path, typed: Option<&String>, settings: &Settings) -> Result<String> {
    Ok(match typed {
        Some(kb) => kb.clone(),
        None => Gold::kb_of(gold)?.unwrap_or_else(|| settings.kb.clone()),
    })
}

/// The models on this machine.
pub fn store(common: &Common) -> Result<ModelStore> {
    let options = ModelStoreOptions {
        offline: common.offline,
        quiet: common.quiet,
        ..ModelStoreOptions::from_env()
    };
    let store = ModelStore::new(options)?;
    if let Some(path) = store.registry().local() {
        static ONCE: Once = Once::new();
        let text = format!("note: the models are those of {}", path.display());
        ONCE.call_once(|| note(common.quiet, &text));
    }
    Ok(store)
}

/// A builder of pipelines that caches below [`GENERATED`].
pub fn builder(common: &Common) -> Result<PipelineBuilder> {
    Ok(PipelineBuilder::new(store(common)?, Path::new(GENERATED)))
}

/// Cuts, embeds and indexes with progress. `reads`: whether the reader will be asked.
pub fn pipeline(
    kb: &KnowledgeBase,
    settings: &Settings,
    reads: bool,
    builder: &mut PipelineBuilder,
    quiet: bool,
) -> Result<Pipeline> {
    build(kb, &settings.pipeline(), reads, builder, quiet)
}

/// The same as [`pipeline`], for settings that do not come from the settings file.
pub fn build(
    kb: &KnowledgeBase,
    settings: &PipelineSettings,
    reads: bool,
    builder: &mut PipelineBuilder,
    quiet: bool,
) -> Result<Pipeline> {
    let mut bar = Progress::new("embedding", quiet);
    let mut on_progress = |step| {
        if let Step::Embedding(done, total) = step {
            bar.set(done, total);
        }
    };
    let built = builder.build(kb, settings, reads, &mut Observer::of_progress(&mut on_progress));
    bar.clear();
    let pipeline = built?;
    let blank = &pipeline.built().blank_documents;
    if !blank.is_empty() {
        let count = counted(blank.len(), "document");
        note(quiet, &format!("note: {count} without text: {}", blank.join(", ")));
    }
    let cut = pipeline.built().truncated_texts;
    if cut > 0 {
        let what = "chunks exceed the input length of the embedder, which ignores the rest";
        note(quiet, &format!("note: {cut} {what}. Lower chunk.size"));
    }
    let (unknown, all) = (pipeline.built().unknown_texts, pipeline.retriever().chunks().len());
    if unknown > 0 {
        let what = "consist mostly of text that the embedder does not know, so that their vectors say \
                    little";
        note(quiet, &format!("note: {unknown} of {all} chunks {what}. Use --mode bm25"));
    }
    if let Some(unsound) = pipeline.built().index.unsound() {
        note(quiet, &format!("note: {unsound}"));
    }
    Ok(pipeline)
}
