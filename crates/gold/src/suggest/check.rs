//! What the reader answers to a drafted question.

use serde::{Deserialize, Serialize};

/// What the reader makes of a drafted question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftCheck {
    /// Its answer: from the evidence alone, or, to an unanswerable question, from what is found.
    pub answer: String,
    /// Whether that is a refusal.
    pub abstained: bool,
    /// F1 against the references of the draft; none where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
    /// Whether it bears the draft out: the same answer, or a refusal where none is expected.
    pub agrees: bool,
}
