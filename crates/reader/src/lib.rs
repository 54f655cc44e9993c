//! From a question to a cited answer: context assembly, prompts, generation, abstention, and the
//! [`Pipeline`] that `ask`, `eval` and every other command share.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use fiel_corpus::KnowledgeBase;
//! use fiel_models::{ModelStore, ModelStoreOptions};
//! use fiel_reader::{Observer, PipelineBuilder, PipelineSettings, ReadRequest};
//! use fiel_text::Lang;
//!
//! let kb = KnowledgeBase::load(Path::new("kb/verbs"))?;
//! let store = ModelStore::new(ModelStoreOptions::from_env())?;
//! let mut builder = PipelineBuilder::new(store, Path::new(".fiel"));
//! let settings = PipelineSettings::default();
//! let pipeline = builder.build(&kb, &settings, true, &mut Observer::default())?;
//! let request = ReadRequest::new("What is the past of eat?", &[], Lang::En);
//! let (retrieved, outcome) = pipeline.ask(&request, &mut Observer::default())?;
//! println!("{} (from {} passages)", outcome.answer, retrieved.hits.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abstain;
mod answer;
mod attribute;
mod cache;
mod completion;
mod context;
mod echo;
mod error;
mod extractive;
mod generation;
mod language_model;
mod observer;
mod pipeline;
mod pool;
mod prompt;
mod prompt_files;
mod reading;
mod sampling;
mod settings;
mod template;

pub use completion::{Completion, CompletionRequest, YesNo};
pub use context::{Context, Passage, PassageOrder};
pub use error::Error;
pub use language_model::{LanguageModel, SharedLanguageModel};
pub use observer::{Observer, PipelineProgress};
pub use pipeline::{Pipeline, PipelineBuilder};
pub use pool::ModelPool;
pub use prompt_files::{PromptFault, PromptPair, PromptSets, PromptTable, ShippedPrompts};
pub use reading::{Outcome, ReadRequest};
pub use settings::{AbstainSettings, EXTRACTIVE, EmbedSettings, PipelineSettings, ReadSettings};
pub use template::PromptTemplate;
