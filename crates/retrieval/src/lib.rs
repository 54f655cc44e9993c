//! Retrieval of passages: BM25 with Tantivy, exact or approximate dense search, their fusion,
//! rewriting of the question, and reranking.
//!
//! An [`IndexBuilder`] cuts, embeds and indexes a knowledge base; a [`Retriever`] searches the
//! [`Index`]. Every list is in one total order: score descending, then chunk id ascending.
//!
//! ```
//! use fiel_retrieval::{Analysis, Bm25};
//!
//! let texts = [("Eat", "The verb eat: ate, eaten"), ("Drink", "The verb drink: drank, drunk")];
//! let bm25 = Bm25::build(texts, Analysis::default())?;
//! let hits = bm25.search(&bm25.query("What's the past of \"eat\"?"), 10)?;
//! assert_eq!(hits[0].item, 0);
//! # Ok::<(), fiel_retrieval::Error>(())
//! ```

mod analyze;
mod bm25;
mod build;
mod dense;
mod error;
mod explain;
mod fields;
mod fuse;
mod hnsw;
mod impacts;
mod index;
mod late_interaction;
mod order;
mod ranked;
mod rerank;
mod retriever;
mod rm3;
mod settings;
mod typo;

pub use analyze::Analysis;
pub use bm25::{Bm25, ScoreBreakdown, TermQuery, TermScore};
pub use build::{BuiltIndex, IndexBuilder, chunks_digest, cut_documents};
pub use dense::{Dense, DenseKind};
pub use error::Error;
pub use explain::Explanation;
pub use fields::TermField;
pub use hnsw::Unsound;
pub use index::Index;
pub use late_interaction::LateInteraction;
pub use order::{ScoredItem, top_k};
pub use retriever::{Hit, ListPlace, Query, Retrieved, Retriever};
pub use settings::{
    ChunkSettings, DenseChoice, Fusion, Mode, RerankMethod, RerankSettings, RetrieveSettings,
    RewriteMethod, RewriteSettings,
};
