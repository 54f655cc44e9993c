//! Citations in an answer: `[id]`, `[id; id]` or `[id, id]`.

mod parse;
mod score;

pub use parse::{Citation, CitedId, parse_citations, remove_citations, strip_citations};
pub use score::{CitationScores, citation_scores};
