//! What a run leaves behind: the versioned schema of its records and summary, and the renderers
//! that show them. No engine is needed to read or render a run.
//!
//! A run is a folder: `records.jsonl` has a line a question in the order of the gold set,
//! `summary.json` the measures by mode, `timings.jsonl` the times, which no comparison looks at.

mod record;
mod summary;
mod terminal;
mod text;

pub use record::{
    ClaimRecord, Class, HitRecord, LegRecord, Mark, PassageRecord, QuestionRecord, RECORD_SCHEMA,
    ReadRecord, RetrievalRecord, TimingRecord,
};
pub use summary::{
    Abstention, Bottleneck, Cost, DenseLoss, Latency, Manifest, ReaderComparison, SUMMARY_SCHEMA,
    Summary, Target, Timing, Tokens,
};
pub use terminal::{Style, retrieval_screen, screen};
pub use text::one_line;
