//! Finding passages: BM25 through Tantivy, dense search exactly or by HNSW, and their fusion.
//!
//! Every list is in one total order: score descending, then chunk id ascending.
//!
//! ```
//! use fiel_retrieval::{Bm25, Language};
//!
//! let bm25 = Bm25::build(["The verb eat: ate, eaten", "The verb drink: drank, drunk"], Language::English)?;
//! let hits = bm25.search("What's the past of \"eat\"?", 10)?;
//! assert_eq!(hits[0].item, 0);
//! # Ok::<(), fiel_retrieval::Error>(())
//! ```

mod analyze;
mod bm25;
mod dense;
mod error;
mod fuse;
mod hnsw;
mod order;
mod retriever;
mod settings;

pub use analyze::Language;
pub use bm25::Bm25;
pub use dense::{Dense, DenseKind};
pub use error::Error;
pub use fuse::reciprocal_rank_fusion;
pub use order::{Scored, top_k};
pub use retriever::{Hit, LegHit, Retrieved, Retriever};
pub use settings::{DenseChoice, Mode, RetrieveSettings};
