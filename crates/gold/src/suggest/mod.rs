//! Drafts for a gold set: written by a language model, checked by the linter and the reader, and
//! worth nothing until a person has accepted them.

mod check;
mod draft;
mod said;
mod sentence;
mod store;
mod style;
mod twin;
mod typo;

pub use check::DraftCheck;
pub use draft::{Draft, DropReason, Suggester};
pub use store::{append_draft, load_drafts, write_drafts};
pub use style::{DRAFTED, DraftStyle, DraftTask};
