//! Gold sets: questions with the evidence that answers them.
//!
//! [`Gold::load`] reads the questions and their targets, [`Gold::resolve`] anchors their evidence in
//! the documents. The crate also imports other formats, checks a set ([`lint`]), and helps a person
//! write one ([`Author`], [`Suggester`]). No engine is needed: the linter and the author search
//! passages through [`PassageIndex`].

mod author;
mod error;
mod gold;
mod ids;
mod import;
mod lint;
mod resolve;
mod selection;
mod suggest;

pub use author::Author;
pub use error::{Error, GoldFault};
pub use gold::{Evidence, Gold, Question, Split};
pub use import::{
    BeirFolder, ChunkPlaces, Counts, Destination, IMPORT_SCHEMA, ImportReport, Imported,
    NewDocument, Refused, Rows, import_beir, import_clapnq, import_squad, import_trec,
    write_import,
};
pub use lint::{
    BoxError, BuildIndex, Code, Finding, LINT_SCHEMA, Level, LintReport, PassageIndex, lint,
};
pub use resolve::{EvidenceSpan, ResolvedGold, ResolvedQuestion, Unanchored};
pub use selection::Selection;
pub use suggest::{
    DRAFTED, Draft, DraftCheck, DraftStyle, DraftTask, DropReason, Suggester, append_draft,
    load_drafts, write_drafts,
};
