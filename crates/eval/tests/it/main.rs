//! Whole evaluations of a tiny knowledge base with real models, and gold tools that need an index.

// clippy.toml allows it in test functions only, and helpers are none.
#![allow(clippy::unwrap_used)]

mod caches;
mod classes;
mod diagnosis;
mod grounded;
mod lint;
mod suggest;
mod whole;
mod world;
