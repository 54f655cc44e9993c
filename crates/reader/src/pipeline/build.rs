//! Building pipelines.

use std::{path::Path, sync::Arc};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_models::{ModelStore, Task, llm::DecoderConfig, select_device};
use fiel_retrieval::{
    IndexBuilder, RerankMethod, Retriever, TokenCache, chunks_digest, cut_documents,
};

use super::{Pipeline, Reranker};
use crate::{Error, ModelPool, Observer, PipelineProgress, PipelineSettings, prompt::Prompts};

/// Builds pipelines. Loaded models, built indexes and token vectors are shared by the pipelines of
/// one builder.
pub struct PipelineBuilder {
    models: ModelPool,
    indexes: IndexBuilder,
    tokens: Arc<TokenCache>,
}

impl PipelineBuilder {
    /// Creates a builder. Embeddings, graphs and answers are cached below `caches`.
    pub fn new(store: ModelStore, caches: &Path) -> Self {
        Self {
            models: ModelPool::new(store, caches),
            indexes: IndexBuilder::new(caches),
            tokens: Arc::default(),
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
        Prompts::load(settings.read.prompt.as_deref())?;
        let models = &self.models;
        models.files("embed.model", &settings.embed.model, Task::Embedding)?;
        if settings.rerank.method == RerankMethod::CrossEncoder {
            models.files("rerank.model", &settings.rerank.model, Task::Reranking)?;
        }
        if settings.needs_language_model(reads) {
            let reader = &settings.read.model;
            let files = models.files("read.model", reader, Task::TextGeneration)?;
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
        let embedder = models.embedder_with_digest(&settings.embed.model, device)?;
        let built = self.indexes.build(
            kb,
            &settings.chunk,
            &settings.retrieve,
            &embedder.model,
            &mut |done, total| observer.progress(PipelineProgress::Embedding(done, total)),
        )?;
        let retriever = Retriever::new(
            Arc::clone(&built.index),
            settings.retrieve.clone(),
            settings.rewrite.clone(),
        )?;
        let reranker = match settings.rerank.method {
            RerankMethod::None => Reranker::None,
            RerankMethod::Late => Reranker::LateInteraction(Arc::clone(&self.tokens)),
            RerankMethod::CrossEncoder => {
                Reranker::CrossEncoder(models.cross_encoder(&settings.rerank.model, device)?)
            }
            RerankMethod::Llm => {
                Reranker::Llm(models.language_model("read.model", &settings.read.model, device)?)
            }
        };
        let model = if settings.needs_language_model(reads) {
            Some(models.language_model("read.model", &settings.read.model, device)?)
        } else {
            None
        };
        Ok(Pipeline {
            embedder,
            built,
            retriever,
            reranker,
            model,
            reads,
            prompts: Prompts::load(settings.read.prompt.as_deref())?,
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
        let mut chunks = cut_documents(kb, &settings.chunk, &embedder)?.chunks;
        chunks.sort_by(|a, b| a.id.cmp(&b.id));
        let digest = chunks_digest(&chunks);
        Ok((chunks, digest))
    }
}
