//! The pool of loaded models.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use fiel_embedding::{CrossEncoder, Embedder};
use fiel_models::{DeviceChoice, ModelFiles, ModelStore, Task, select_device};

use crate::{
    Error,
    language_model::{LanguageModel, SharedLanguageModel},
};

/// Loaded models. Each model is loaded once per device and shared by its users.
pub struct ModelPool {
    store: ModelStore,
    caches: PathBuf,
    embedders: BTreeMap<ModelKey, LoadedEmbedder>,
    cross_encoders: BTreeMap<ModelKey, Arc<CrossEncoder>>,
    language_models: BTreeMap<ModelKey, SharedLanguageModel>,
}

/// Id of a model and device.
type ModelKey = (String, String);

/// An embedder with the digest of its files.
#[derive(Clone)]
pub(crate) struct LoadedEmbedder {
    pub model: Arc<Embedder>,
    pub digest: String,
}

impl ModelPool {
    /// Creates an empty pool. Language models cache their answers below `caches`.
    pub fn new(store: ModelStore, caches: &Path) -> Self {
        Self {
            store,
            caches: caches.to_owned(),
            embedders: BTreeMap::new(),
            cross_encoders: BTreeMap::new(),
            language_models: BTreeMap::new(),
        }
    }

    /// The store that models are loaded from.
    pub fn store(&self) -> &ModelStore {
        &self.store
    }

    /// Loads an embedder.
    ///
    /// # Errors
    /// If the model cannot be obtained or loaded, or is not an embedder.
    pub fn embedder(&mut self, id: &str, device: DeviceChoice) -> Result<Arc<Embedder>, Error> {
        Ok(self.embedder_with_digest(id, device)?.model)
    }

    pub(crate) fn embedder_with_digest(
        &mut self,
        id: &str,
        device: DeviceChoice,
    ) -> Result<LoadedEmbedder, Error> {
        let key = model_key(id, device);
        if let Some(loaded) = self.embedders.get(&key) {
            return Ok(loaded.clone());
        }
        let files = self.files("embed.model", id, Task::Embedding)?;
        let (device, class) = select_device(device)?;
        let loaded = LoadedEmbedder {
            model: Arc::new(Embedder::load(&files, &device, class)?),
            digest: files.digest(),
        };
        self.embedders.insert(key, loaded.clone());
        Ok(loaded)
    }

    /// Loads a cross-encoder.
    ///
    /// # Errors
    /// If the model cannot be obtained or loaded, or is not a cross-encoder.
    pub fn cross_encoder(
        &mut self,
        id: &str,
        device: DeviceChoice,
    ) -> Result<Arc<CrossEncoder>, Error> {
        let key = model_key(id, device);
        if let Some(loaded) = self.cross_encoders.get(&key) {
            return Ok(Arc::clone(loaded));
        }
        let files = self.files("rerank.model", id, Task::Reranking)?;
        let (device, class) = select_device(device)?;
        let loaded = Arc::new(CrossEncoder::load(&files, &device, class)?);
        self.cross_encoders.insert(key, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// Loads the tokenizer of a language model; the weights follow with the first prompt that is
    /// not in the cache. `setting` is the key in fiel.toml that names the model, for errors.
    ///
    /// # Errors
    /// If the model cannot be obtained or loaded, or is not a chat model.
    pub fn language_model(
        &mut self,
        setting: &'static str,
        id: &str,
        device: DeviceChoice,
    ) -> Result<SharedLanguageModel, Error> {
        let key = model_key(id, device);
        if let Some(loaded) = self.language_models.get(&key) {
            return Ok(loaded.clone());
        }
        let files = self.files(setting, id, Task::TextGeneration)?;
        let (device, class) = select_device(device)?;
        let model = LanguageModel::new(&files, &device, class, &self.caches)?;
        let loaded = SharedLanguageModel::new(model);
        self.language_models.insert(key, loaded.clone());
        Ok(loaded)
    }

    /// Number of parameters of a language model, without loading it.
    ///
    /// # Errors
    /// If the model cannot be obtained, or is not a language model.
    pub fn parameters(&self, setting: &'static str, id: &str) -> Result<u64, Error> {
        let files = self.files(setting, id, Task::TextGeneration)?;
        Ok(fiel_models::llm::parameters(files.gguf()?)?)
    }

    /// Finds or downloads the files of a model. The task is checked for models of the registry; for
    /// a folder or a repository of the hub, loading shows whether it fits.
    pub(crate) fn files(
        &self,
        setting: &'static str,
        id: &str,
        task: Task,
    ) -> Result<ModelFiles, Error> {
        let registered = self.store.registry().get(id).ok();
        match registered.and_then(|spec| spec.task) {
            Some(other) if other != task => {
                Err(Error::WrongTask { setting, id: id.to_owned(), task: other.to_string() })
            }
            _ => Ok(self.store.ensure(id)?),
        }
    }
}

fn model_key(id: &str, device: DeviceChoice) -> ModelKey {
    (id.to_owned(), format!("{device:?}"))
}
