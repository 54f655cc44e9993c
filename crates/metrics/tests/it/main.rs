//! Integration tests of the measures: against trec_eval and SQuAD, and by properties.

// Clippy's exception for tests does not reach their helpers.
#![allow(clippy::unwrap_used)]

mod properties;
mod refusals;
mod squad;
mod text_properties;
mod trec_eval;
