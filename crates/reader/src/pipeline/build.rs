//! Building pipelines.

use std::{path::Path, sync::Arc};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_models::{ModelStore, Task, llm::DecoderConfig, select_device};
use fiel_retrieval::{
    IndexBuilder, LateInteraction, RerankMethod, Retriever, chunks_digest, cut_documents,
};

use super::{Pipeline, Reranker};
use crate::{
    Error, ModelPool, Observer, PipelineProgress, PipelineSettings, pool::model_files,
    prompt::load_prompts,
};

/// Builds pipelines. Loaded models, built indexes and token vectors are shared by the pipelines of
/// one builder.
pub struct PipelineBuilder {
    models: ModelPool,
    indexes: IndexBuilder,
    late_interaction: Arc<LateInteraction>,
}

impl PipelineBuilder {
    /// Creates a builder. Embeddings, graphs and answers are cached below `caches`.
    pub fn new(store: ModelStore, caches: &Path) -> Self {
        Self {
            models: ModelPool::new(store, caches),
            indexes: IndexBuilder::new(caches),
            late_interaction: Arc::default(),
        }
    }

    /// The loaded models.
    pub fn models(&mut self) -> &mut ModelPool {
        &mut self.models
    }

    /// Checks the settings and the prompts, and finds or downloads every model, so that faults show
    /// before any work is done. `reads` says whether questions will be answered.
    ///
    /// # Errors
    /// With the setting, and the model or file at fault.
    pub fn check(&self, settings: &PipelineSettings, reads: bool) -> Result<(), Error> {
        settings.check()?;
        load_prompts(settings.read.prompt.as_deref())?;
        let store = self.models.store();
        model_files(store, "embed.model", &settings.embed.model, Task::Embedding)?;
        if settings.rerank.method == RerankMethod::CrossEncoder {
            model_files(store, "rerank.model", &settings.rerank.model, Task::Reranking)?;
        }
        if settings.needs_language_model(reads) {
            let files =
                model_files(store, "read.model", &settings.read.model, Task::TextGeneration)?;
            DecoderConfig::read(files.gguf()?)?;
        }
        Ok(())
    }

    /// Builds the pipeline of a knowledge base. `reads` says whether questions will be answered;
    /// otherwise the pipeline only retrieves.
    ///
    /// # Errors
    /// If [`check`](Self::check) fails, a model cannot be loaded, or the index cannot be built.
    pub fn build(
        &mut self,
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
        reads: bool,
        observer: &mut Observer<'_>,
    ) -> Result<Pipeline, Error> {
        self.check(settings, reads)?;
        let device = settings.device;
        let (_, class) = select_device(device)?;
        let models = &mut self.models;
        let (embedder, embedder_digest) =
            models.embedder_with_digest(&settings.embed.model, device)?;
        let built = self.indexes.build(
            kb,
            &settings.chunk,
            &settings.retrieve,
            &embedder,
            &mut |done, total| observer.progress(PipelineProgress::Embedding(done, total)),
        )?;
        let retriever = Retriever::new(
            Arc::clone(&built.index),
            settings.retrieve.clone(),
            settings.rewrite.clone(),
        )?;
        let mut language_model =
            || models.language_model("read.model", &settings.read.model, device);
        let model = settings.needs_language_model(reads).then(&mut language_model).transpose()?;
        let reranker = match settings.rerank.method {
            RerankMethod::None => None,
            RerankMethod::Late => {
                Some(Reranker::LateInteraction(Arc::clone(&self.late_interaction)))
            }
            RerankMethod::Llm => Some(Reranker::Llm(language_model()?)),
            RerankMethod::CrossEncoder => {
                let model = models.cross_encoder(&settings.rerank.model, device)?;
                Some(Reranker::CrossEncoder(model))
            }
        };
        Ok(Pipeline {
            embedder,
            embedder_digest,
            built,
            retriever,
            reranker,
            model,
            reads,
            prompts: load_prompts(settings.read.prompt.as_deref())?,
            settings: settings.clone(),
            class,
            lang: kb.info.lang,
        })
    }

    /// The chunks of a knowledge base, ordered by id, with their
    /// [digest](Pipeline::chunks_digest). Nothing is embedded.
    ///
    /// # Errors
    /// If the embedder, which counts the tokens, cannot be loaded.
    pub fn chunks(
        &mut self,
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
    ) -> Result<(Vec<Chunk>, String), Error> {
        let embedder = self.models.embedder(&settings.embed.model, settings.device)?;
        let (mut chunks, _) = cut_documents(kb, &settings.chunk, &embedder)?;
        chunks.sort_by(|a, b| a.id.cmp(&b.id));
        let digest = chunks_digest(&chunks);
        Ok((chunks, digest))
    }
}
