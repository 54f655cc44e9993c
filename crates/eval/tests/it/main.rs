//! Whole evaluations of a tiny knowledge base with real models, and the shipped gold set.

// clippy.toml allows it in test functions only, and helpers are none.
#![allow(clippy::unwrap_used)]

mod caches;
mod classes;
mod diagnosis;
mod grounded;
mod imports;
mod lint;
mod shipped;
mod suggest;
mod whole;
mod world;
