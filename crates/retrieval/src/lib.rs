//! Finding passages: BM25 through Tantivy, dense search exactly or by HNSW, their fusion, rewriting
//! of the question, and reranking.
//!
//! Every list is in one total order: score descending, then chunk id ascending.
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
mod dense;
mod dump;
mod error;
mod explain;
mod fields;
mod fuse;
mod hnsw;
mod impacts;
mod index;
mod late;
mod leg;
mod order;
mod rerank;
mod retriever;
mod rm3;
mod settings;
mod typo;

pub use analyze::Analysis;
pub use bm25::{Bm25, Parts, TermPart, TermQuery};
pub use dense::{Dense, DenseKind};
pub use error::Error;
pub use explain::{Explanation, Term};
pub use fields::Further;
pub use fuse::{Weighted, fuse, reciprocal_rank_fusion};
pub use index::Index;
pub use late::{Late, TokenCache};
pub use order::{Scored, top_k};
pub use rerank::Reranker;
pub use retriever::{Hit, LegHit, Query, Retrieved, Retriever};
pub use settings::{
    DenseChoice, Fusion, Mode, RerankMethod, RerankSettings, RetrieveSettings, RewriteMethod,
    RewriteSettings,
};
