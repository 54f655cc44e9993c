//! Imports, and the shipped gold set over its documents.

// clippy.toml allows `unwrap` in test functions only, and helpers are not test functions.
#![allow(clippy::unwrap_used)]

mod imports;
mod mangled;
mod shipped;
