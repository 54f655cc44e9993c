//! The evidence of a gold question.

use fiel_text::id::DocId;
use serde::{Deserialize, Serialize};

/// A piece of evidence of a question: a quotation that proves the answer or a part of it, or,
/// without a quotation, a relevance judgement of a whole document as in BEIR and TREC collections.
/// The evidence of a question is all of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Id of the document.
    pub doc: DocId,
    /// Text that occurs exactly once in the document; absent if the whole document is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Pieces of evidence with the same group are alternatives to each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Relevance grade of a judged document, 1 by default; not relevant if it is 0 or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<i32>,
}

impl Evidence {
    /// Whether the document is relevant: always with a quotation, else by a grade above 0.
    pub fn is_relevant(&self) -> bool {
        self.quote.is_some() || self.grade.unwrap_or(1) > 0
    }
}
