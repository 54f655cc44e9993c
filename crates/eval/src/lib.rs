//! Evaluation: gold sets, the runner, failure classes and the folders of runs.
//!
//! [`Gold::load`] reads the questions and their targets, [`Gold::resolve`] anchors their evidence
//! in the documents, and [`evaluate`] measures retrieval, the reader on the evidence alone, and
//! both together, one record a question.

mod attribute;
mod error;
mod gold;
mod host;
mod reading;
mod resolve;
mod retrieval;
mod run;
mod runner;
mod settings;
mod summarize;

pub use error::{Error, GoldFault};
pub use gold::{Evidence, Gold, Question, Split};
pub use resolve::{ResolvedGold, ResolvedQuestion};
pub use run::{RunFolder, list_runs};
pub use runner::{Event, Finished, Plan, evaluate};
pub use settings::{EvalMode, EvalSettings, PriceSettings, Selection};
