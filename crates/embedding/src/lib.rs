//! Encoders of the BERT, RoBERTa and XLM-RoBERTa type.
//!
//! An [`Embedder`] turns texts into unit vectors, or a text into one vector per word piece for
//! late interaction. An [`EmbeddingCache`] keeps the vectors of texts on disk. A
//! [`CrossEncoder`] scores pairs of question and passage.
//!
//! ```no_run
//! use fiel_embedding::Embedder;
//! use fiel_models::{DeviceChoice, ModelStore, ModelStoreOptions, select_device};
//!
//! let store = ModelStore::new(ModelStoreOptions::from_env())?;
//! let (device, class) = select_device(DeviceChoice::Cpu)?;
//! let embedder = Embedder::load(&store.ensure("all-MiniLM-L6-v2")?, &device, class)?;
//! let vectors = embedder.embed(&["tea", "a cup of tea"], &mut |_| {})?;
//! assert_eq!((vectors.len(), vectors.dim()), (2, 384));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batches;
mod cache;
mod config;
mod cross;
mod embedder;
mod encoder;
mod error;
mod layers;
mod pooling;
mod vectors;

pub use cache::EmbeddingCache;
pub use cross::CrossEncoder;
pub use embedder::{Embedder, TokenVectors};
pub use error::Error;
pub use vectors::{Vectors, dot};
