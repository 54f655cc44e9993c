//! Sentence embeddings by all-MiniLM-L6-v2 and its kin: text to unit vectors, in batches, cached;
//! and the vectors of a text's single pieces, which late interaction compares.
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

mod batches;
mod cache;
mod cross;
mod embedder;
mod encoder;
mod error;
mod family;
mod pooling;
mod tokens;
mod vectors;

pub use cache::EmbeddingCache;
pub use cross::CrossEncoder;
pub use embedder::Embedder;
pub use error::Error;
pub use tokens::TokenVectors;
pub use vectors::{Vectors, dot};
