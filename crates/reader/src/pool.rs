//! The pool of loaded models.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use candle_core::Device;
use fiel_embedding::{CrossEncoder, Embedder};
use fiel_models::{DeviceChoice, DeviceClass, ModelFiles, ModelStore, Task, select_device};

use crate::{
    Error,
    language_model::{LanguageModel, SharedLanguageModel},
};

/// Loaded models. Each model is loaded once per device and shared by its users.
pub struct ModelPool {
    store: ModelStore,
    caches: PathBuf,
    embedders: BTreeMap<ModelKey, (Arc<Embedder>, String)>,
    cross_encoders: BTreeMap<ModelKey, Arc<CrossEncoder>>,
    language_models: BTreeMap<ModelKey, SharedLanguageModel>,
}

/// Id of a model and device.
type ModelKey = (String, String);

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
        Ok(self.embedder_with_digest(id, device)?.0)
    }

    pub(crate) fn embedder_with_digest(
        &mut self,
        id: &str,
        device: DeviceChoice,
    ) -> Result<(Arc<Embedder>, String), Error> {
        load_once(&mut self.embedders, id, device, |device, class| {
            let files = model_files(&self.store, "embed.model", id, Task::Embedding)?;
            Ok((Arc::new(Embedder::load(&files, device, class)?), files.digest()))
        })
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
        load_once(&mut self.cross_encoders, id, device, |device, class| {
            let files = model_files(&self.store, "rerank.model", id, Task::Reranking)?;
            Ok(Arc::new(CrossEncoder::load(&files, device, class)?))
        })
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
        load_once(&mut self.language_models, id, device, |device, class| {
            let files = model_files(&self.store, setting, id, Task::TextGeneration)?;
            let model = LanguageModel::new(&files, device, class, &self.caches)?;
            Ok(SharedLanguageModel(Arc::new(Mutex::new(model))))
        })
    }

    /// Number of parameters of a language model, without loading it.
    ///
    /// # Errors
    /// If the model cannot be obtained, or is not a language model.
    pub fn parameters(&self, setting: &'static str, id: &str) -> Result<u64, Error> {
        let files = model_files(&self.store, setting, id, Task::TextGeneration)?;
        Ok(fiel_models::llm::parameters(files.gguf()?)?)
    }
}

/// Loads a model unless `models` has it.
fn load_once<T: Clone>(
    models: &mut BTreeMap<ModelKey, T>,
    id: &str,
    device: DeviceChoice,
    load: impl FnOnce(&Device, DeviceClass) -> Result<T, Error>,
) -> Result<T, Error> {
    let key = (id.to_owned(), format!("{device:?}"));
    if let Some(loaded) = models.get(&key) {
        return Ok(loaded.clone());
    }
    let (device, class) = select_device(device)?;
    let loaded = load(&device, class)?;
    models.insert(key, loaded.clone());
    Ok(loaded)
}

/// Finds or downloads the files of a model. The task is checked for models of the registry; for a
/// folder or a repository of the hub, loading shows whether it fits.
pub(crate) fn model_files(
    store: &ModelStore,
    setting: &'static str,
    id: &str,
    task: Task,
) -> Result<ModelFiles, Error> {
    let registered = store.registry().get(id).ok();
    match registered.and_then(|spec| spec.task) {
        Some(other) if other != task => {
            Err(Error::WrongTask { setting, id: id.to_owned(), task: other.to_string() })
        }
        _ => Ok(store.ensure(id)?),
    }
}
