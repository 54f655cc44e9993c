//! From a question to its answer with MiniLM and SmolLM2.

// clippy.toml allows it in test functions only, and helpers are not test functions.
#![allow(clippy::unwrap_used)]

mod pipeline;
