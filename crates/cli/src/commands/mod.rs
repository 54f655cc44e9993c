//! One module per command: its arguments and what it does.

pub mod ablate;
pub mod ask;
pub mod bless;
pub mod clean;
pub mod compare;
pub mod completions;
pub mod diagnose;
pub mod doctor;
pub mod eval;
pub mod explain;
pub mod export;
pub mod gate;
pub mod gold;
pub mod index;
pub mod judge;
pub mod man;
pub mod models;
pub mod report;
pub mod runs;
pub mod schema;
pub mod score;
pub mod search;
pub mod show;
