//! Gold sets: questions with the evidence that answers them.
//!
//! [`Gold::load`] reads a set and its targets, and [`Gold::resolve`] locates its evidence in the
//! documents. The crate also imports other formats (`import_*`), checks a set ([`lint`]), and helps
//! a person write one ([`Author`], [`Suggester`]). It builds no search engine: the linter and the
//! author search passages through [`PassageIndex`].
//!
//! ```
//! use fiel_corpus::KnowledgeBase;
//! use fiel_gold::Gold;
//!
//! let dir = tempfile::tempdir()?;
//! let kb = dir.path().join("kb");
//! std::fs::create_dir(&kb)?;
//! std::fs::write(kb.join("tea.md"), "# Tea\n\nGreen tea is brewed at 80 degrees.\n")?;
//! let set = dir.path().join("tea.jsonl");
//! std::fs::write(
//!     &set,
//!     r#"{"id": "green", "question": "How hot is the water for green tea?", "answers": ["80 degrees"],
//!         "evidence": [{"doc": "tea", "quote": "brewed at 80 degrees"}]}"#
//!         .replace('\n', ""),
//! )?;
//!
//! let kb = KnowledgeBase::load(&kb)?;
//! let resolved = Gold::load(&set)?.resolve(&kb)?;
//! assert_eq!(resolved.questions[0].quotes(&kb), [["brewed at 80 degrees"]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
    BeirFolder, ChunkPlaces, Destination, Imported, NewDocument, Rows, import_beir, import_clapnq,
    import_squad, import_trec, write_import,
};
pub use lint::{BoxError, BuildIndex, PassageIndex, lint};
pub use resolve::{EvidenceSpan, ResolvedGold, ResolvedQuestion};
pub use selection::Selection;
pub use suggest::{
    DRAFTED, Draft, DraftCheck, DraftStyle, DraftTask, DropReason, Suggester, append_draft,
    load_drafts, write_drafts,
};
