use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use candle_core::Device;
use fiel_corpus::{Chunk, Chunker, KnowledgeBase, sha256_hex};
use fiel_embedding::{CrossEncoder, Embedder, EmbeddingCache};
use fiel_models::{DeviceChoice, DeviceClass, ModelFiles, Store, Task, select_device};
use fiel_retrieval::{Analysis, Index, Language, Mode, RerankMethod, TokenCache};

use crate::{
    Drafter, Error, Judge, PipelineSettings, Progress, ReadSettings, draft_prompt::DraftPrompts,
    judge_prompt::JudgePrompts, language_model::LanguageModel, prompt::Prompts,
    settings::EXTRACTIVE,
};

/// Models, indexes and token vectors that pipelines share: what two arms of an ablation have in
/// common is made once.
pub struct Stock {
    store: Store,
    caches: PathBuf,
    embedders: BTreeMap<String, SharedEmbedder>,
    cross_encoders: BTreeMap<String, Arc<CrossEncoder>>,
    language_models: BTreeMap<String, Arc<Mutex<LanguageModel>>>,
    indexes: BTreeMap<String, Arc<Indexed>>,
    tokens: Arc<TokenCache>,
}

/// An embedder with the digest of its files.
#[derive(Clone)]
pub(crate) struct SharedEmbedder {
    pub embedder: Arc<Embedder>,
    pub digest: String,
}

/// An index, and what was noticed while it was made.
pub(crate) struct Indexed {
    pub index: Arc<Index>,
    pub blank_documents: Vec<String>,
    pub embedded_now: usize,
    pub cut_chunks: usize,
}

impl Stock {
    /// Nothing yet. `caches` is the folder for generated files.
    pub fn new(store: Store, caches: &Path) -> Self {
        Self {
            store,
            caches: caches.to_owned(),
            embedders: BTreeMap::new(),
            cross_encoders: BTreeMap::new(),
            language_models: BTreeMap::new(),
            indexes: BTreeMap::new(),
            tokens: Arc::default(),
        }
    }

    /// Where models are found.
    pub fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn tokens(&self) -> Arc<TokenCache> {
        Arc::clone(&self.tokens)
    }

    /// An embedder by itself, for what is held against claims; shared with pipelines that use it.
    ///
    /// # Errors
    /// When the model cannot be had or loaded.
    pub fn shared_embedder(
        &mut self,
        model: &str,
        device: DeviceChoice,
    ) -> Result<Arc<Embedder>, Error> {
        Ok(self.embedder(model, device)?.embedder)
    }

    pub(crate) fn embedder(
        &mut self,
        model: &str,
        device: DeviceChoice,
    ) -> Result<SharedEmbedder, Error> {
        if let Some(shared) = self.embedders.get(model) {
            return Ok(shared.clone());
        }
        let files = files(&self.store, "embed.model", model, Task::Embedding)?;
        let (device, class) = select_device(device)?;
        let shared = SharedEmbedder {
            embedder: Arc::new(Embedder::load(&files, &device, class)?),
            digest: files.digest(),
        };
        self.embedders.insert(model.to_owned(), shared.clone());
        Ok(shared)
    }

    pub(crate) fn cross_encoder(
        &mut self,
        model: &str,
        device: DeviceChoice,
    ) -> Result<Arc<CrossEncoder>, Error> {
        if let Some(shared) = self.cross_encoders.get(model) {
            return Ok(Arc::clone(shared));
        }
        let files = files(&self.store, "rerank.model", model, Task::Reranking)?;
        let (device, class) = select_device(device)?;
        let shared = Arc::new(CrossEncoder::load(&files, &device, class)?);
        self.cross_encoders
            .insert(model.to_owned(), Arc::clone(&shared));
        Ok(shared)
    }

    pub(crate) fn language_model(
        &mut self,
        model: &str,
        device: &Device,
        class: DeviceClass,
    ) -> Result<Arc<Mutex<LanguageModel>>, Error> {
        if let Some(shared) = self.language_models.get(model) {
            return Ok(Arc::clone(shared));
        }
        let files = files(&self.store, "read.model", model, Task::TextGeneration)?;
        let loaded = LanguageModel::new(&files, device, class, &self.caches)?;
        let shared = Arc::new(Mutex::new(loaded));
        self.language_models
            .insert(model.to_owned(), Arc::clone(&shared));
        Ok(shared)
    }

    /// The judge of a pipeline's answers: `model`, else the reader, or the default reader where
    /// that is no language model. `prompt`: a file with what it is asked, or a folder with one for
    /// each language; `None`: as shipped.
    ///
    /// # Errors
    /// When the prompts are faulty, the model cannot be had, or it has fewer parameters than the
    /// reader whose answers it would judge.
    pub fn judge(
        &mut self,
        settings: &PipelineSettings,
        model: Option<&str>,
        prompt: Option<&Path>,
    ) -> Result<Judge, Error> {
        let prompts = Arc::new(JudgePrompts::load(prompt)?);
        let reader = Some(settings.read.model.as_str()).filter(|id| *id != EXTRACTIVE);
        let default = ReadSettings::default().model;
        let id = model.or(reader).unwrap_or(&default);
        if let Some(reader) = reader.filter(|reader| *reader != id) {
            let size = |setting, id: &str| -> Result<u64, Error> {
                let files = files(&self.store, setting, id, Task::TextGeneration)?;
                Ok(fiel_models::llm::parameters(files.gguf()?)?)
            };
            let (own, of_reader) = (size("judge.model", id)?, size("read.model", reader)?);
            if own < of_reader {
                return Err(Error::WeakJudge {
                    judge: id.to_owned(),
                    parameters: own,
                    reader: reader.to_owned(),
                    of_reader,
                });
            }
        }
        let (device, class) = select_device(settings.device)?;
        Ok(Judge {
            model: self.language_model(id, &device, class)?,
            prompts,
            id: id.to_owned(),
            is_reader: reader == Some(id),
            class,
        })
    }

    /// The reader as a writer of drafts for a gold set.
    ///
    /// # Errors
    /// When the reader is no language model, or cannot be had.
    pub fn drafter(&mut self, settings: &PipelineSettings) -> Result<Drafter, Error> {
        let id = &settings.read.model;
        if id == EXTRACTIVE {
            return Err(Error::BadSetting {
                setting: "read.model",
                value: id.clone(),
                reason: "drafts are written by a language model; name one by --reader, or in \
                         fiel.toml",
            });
        }
        let (device, class) = select_device(settings.device)?;
        Ok(Drafter {
            model: self.language_model(id, &device, class)?,
            prompts: DraftPrompts::load()?,
        })
    }

    /// Cuts, embeds and indexes a knowledge base, or gives the index that was made of it before
    /// with settings that make no difference to it.
    pub(crate) fn index(
        &mut self,
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Arc<Indexed>, Error> {
        let retrieve = &settings.retrieve;
        let analysis = Analysis {
            language: Language::from_code(&kb.info.lang),
            stop_words: retrieve.stop_words,
            title_boost: retrieve.title_boost,
            exact_weight: retrieve.exact_weight,
            pair_weight: retrieve.pair_weight,
            gram_weight: retrieve.gram_weight,
        };
        // BM25 alone needs no vectors.
        let has_vectors = retrieve.mode != Mode::Bm25;
        let key = format!(
            "{} {:?} {:?} {analysis:?} {:?} {has_vectors}",
            kb.digest(),
            settings.chunk,
            settings.embed,
            retrieve.dense
        );
        if let Some(shared) = self.indexes.get(&key) {
            return Ok(Arc::clone(shared));
        }
        let embedder = self
            .embedder(&settings.embed.model, settings.device)?
            .embedder;
        let (chunks, blank_documents) = cut(kb, settings, &embedder)?;
        if chunks.is_empty() {
            return Err(Error::NoChunks {
                kb: kb.name.clone(),
                documents: kb.documents.len(),
            });
        }
        let entries: Vec<String> = chunks
            .iter()
            .flat_map(Chunk::index_texts)
            .map(std::borrow::Cow::into_owned)
            .collect();
        let texts: Vec<&str> = entries.iter().map(String::as_str).collect();
        let (mut vectors, mut embedded_now) = (None, 0);
        if has_vectors {
            let mut cache = EmbeddingCache::open(
                &fiel_store::GeneratedFolder::Embeddings.path(&self.caches),
                &embedder,
            )?;
            let (made, now) = cache.embed(&embedder, &texts, &mut |done, of| {
                progress(Progress::Embedding(done, of));
            })?;
            (vectors, embedded_now) = (Some(made), now);
        }
        let dumps = fiel_store::GeneratedFolder::Graphs.path(&self.caches);
        let index = Index::build(
            chunks,
            vectors.as_ref(),
            analysis,
            retrieve.dense,
            Some(&dumps),
        )?;
        let indexed = Arc::new(Indexed {
            index: Arc::new(index),
            blank_documents,
            embedded_now,
            cut_chunks: match has_vectors {
                true => texts.iter().filter(|text| embedder.is_cut(text)).count(),
                false => 0,
            },
        });
        self.indexes.insert(key, Arc::clone(&indexed));
        Ok(indexed)
    }

    /// The chunks of a knowledge base in the order of their ids, and their digest as in
    /// [`Pipeline::chunks_digest`](crate::Pipeline::chunks_digest). Nothing is embedded.
    ///
    /// # Errors
    /// When the embedder, whose tokens are counted, cannot be had.
    pub fn chunks(
        &mut self,
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
    ) -> Result<(Vec<Chunk>, String), Error> {
        let embedder = self
            .embedder(&settings.embed.model, settings.device)?
            .embedder;
        let (mut chunks, _) = cut(kb, settings, &embedder)?;
        chunks.sort_by(|a, b| a.id.cmp(&b.id));
        let digest = chunks_digest(&chunks);
        Ok((chunks, digest))
    }

    /// Finds or fetches every model that the settings name, so that one that cannot be had is
    /// known before anything is embedded. `reads`: whether questions are to be answered, too.
    ///
    /// # Errors
    /// Naming the setting and the model.
    pub fn check(&mut self, settings: &PipelineSettings, reads: bool) -> Result<(), Error> {
        settings.check()?;
        Prompts::load(settings.read.prompt.as_deref())?;
        files(
            &self.store,
            "embed.model",
            &settings.embed.model,
            Task::Embedding,
        )?;
        if settings.rerank.method == RerankMethod::CrossEncoder {
            files(
                &self.store,
                "rerank.model",
                &settings.rerank.model,
                Task::Reranking,
            )?;
        }
        if settings.needs_language_model(reads) {
            let files = files(
                &self.store,
                "read.model",
                &settings.read.model,
                Task::TextGeneration,
            )?;
            fiel_models::llm::DecoderConfig::read(files.gguf()?)?;
        }
        Ok(())
    }
}

/// The files of a model for a task. What a folder or a repository of the hub holds is found out
/// when it is loaded; of the registry it is known.
fn files(
    store: &Store,
    setting: &'static str,
    model: &str,
    wanted: Task,
) -> Result<ModelFiles, Error> {
    let task = store.registry().get(model).ok().and_then(|spec| spec.task);
    match task.filter(|task| *task != wanted) {
        Some(task) => Err(Error::WrongTask {
            setting,
            id: model.to_owned(),
            task: task.to_string(),
        }),
        None => Ok(store.ensure(model)?),
    }
}

/// All chunks, and the documents that have none.
fn cut(
    kb: &KnowledgeBase,
    settings: &PipelineSettings,
    embedder: &Embedder,
) -> Result<(Vec<Chunk>, Vec<String>), Error> {
    let chunk = &settings.chunk;
    let chunker = Chunker::new(chunk.kind, chunk.size, chunk.overlap)?;
    let (mut chunks, mut blank) = (Vec::new(), Vec::new());
    for doc in &kb.documents {
        let of_doc = chunker.chunks(doc, &|text| embedder.pieces(text));
        if of_doc.is_empty() {
            blank.push(doc.id.clone());
        }
        chunks.extend(of_doc);
    }
    Ok((chunks, blank))
}

pub(crate) fn chunks_digest(chunks: &[Chunk]) -> String {
    let mut all = String::new();
    for chunk in chunks {
        all.push_str(&format!(
            "{}\t{:?}\t{}\n",
            chunk.id,
            chunk.span,
            sha256_hex(chunk.passage().as_bytes())
        ));
        for entry in &chunk.entries {
            all.push_str(&format!("\t{}\n", sha256_hex(entry.as_bytes())));
        }
    }
    sha256_hex(all.as_bytes())
}
