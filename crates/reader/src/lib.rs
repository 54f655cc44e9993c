//! From a question to a cited answer: context assembly, prompts, generation, abstention, and the
//! [`Pipeline`] that `ask`, `eval` and every other command share.

mod abstain;
mod attributed;
mod cache;
mod context;
mod draft_prompt;
mod drafter;
mod echo;
mod error;
mod extractive;
mod guard;
mod judge;
mod judge_prompt;
mod language_model;
mod pipeline;
mod prompt;
mod prompt_files;
mod said;
mod sample;
mod settings;
mod slots;
mod stock;

pub use abstain::{dont_know, is_abstention};
pub use context::{Context, Order, Passage, assemble};
pub use drafter::Drafter;
pub use error::Error;
pub use guard::not_enough;
// Facade while items move.
pub use fiel_gold::DraftTask;
pub use fiel_record::{GuardScore, GuardSettings};
pub use judge::{Judge, Judged, SaidClaims};
pub use judge_prompt::JudgeQuestion;
pub use pipeline::{Outcome, Pipeline, Progress};
pub use settings::{ChunkSettings, EXTRACTIVE, EmbedSettings, PipelineSettings, ReadSettings};
pub use stock::Stock;
