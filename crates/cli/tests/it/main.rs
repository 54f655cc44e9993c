//! The program as its user runs it: in a folder with a small knowledge base and gold set.

// clippy.toml allows `unwrap` in test functions, but not in their helpers.
#![allow(clippy::unwrap_used)]

mod ablate;
mod architecture;
mod commands;
mod diagnosis;
mod eval;
mod gold;
mod interrupt;
mod json;
mod judge;
mod judged;
mod output;
mod page;
mod refusals;
mod resume;
mod runs;
mod schema;
mod score;
mod suggest;
mod world;
