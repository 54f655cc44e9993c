//! Sentence embeddings by all-MiniLM-L6-v2 and its kin: text to unit vectors, in batches, cached.
//!
//! ```no_run
//! use fiel_embedding::Embedder;
//! use fiel_models::{DeviceChoice, Store, StoreOptions, select_device};
//!
//! let store = Store::new(StoreOptions::from_env())?;
//! let (device, class) = select_device(DeviceChoice::Cpu)?;
//! let embedder = Embedder::load(&store.ensure("all-MiniLM-L6-v2")?, &device, class)?;
//! let vectors = embedder.embed(&["tea", "a cup of tea"], &mut |_| {})?;
//! assert_eq!((vectors.len(), vectors.dim()), (2, 384));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod embedder;
mod error;
mod vectors;

pub use cache::EmbeddingCache;
pub use embedder::{Embedder, MAX_PIECES};
pub use error::Error;
pub use vectors::{Vectors, dot};
