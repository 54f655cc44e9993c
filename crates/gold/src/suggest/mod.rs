//! Drafts of questions: written by a language model, checked by the linter and the reader, and
//! unusable until a person accepts them.

mod draft;
mod reply;
mod sentence;
mod store;
mod style;
mod twin;
mod typo;

pub use draft::{Draft, DraftCheck, DropReason, Suggester};
pub use store::{append_draft, load_drafts, write_drafts};
pub use style::{DRAFTED, DraftStyle, DraftTask};
