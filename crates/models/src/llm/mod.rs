//! Language models in GGUF files: chat template, tokenizer and decoder.

mod chat;
mod config;
mod decoder;
mod tokenizer;
mod weights;

pub use chat::{ChatTemplate, Role, Turn};
pub use config::{DecoderConfig, Family, parameters};
pub use decoder::{BLOCK, Decoder};
pub use tokenizer::{ChatTokenizer, Detokenizer};
pub use weights::Repacked;
