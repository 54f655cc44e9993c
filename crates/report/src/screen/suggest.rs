use std::{collections::BTreeMap, path::PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What `fiel gold suggest` drafted, and what became of the drafts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuggestResult {
    /// The gold set.
    pub gold: PathBuf,
    /// Number of usable drafts.
    pub drafted: usize,
    /// Number of unusable attempts of the model, by reason.
    pub dropped: BTreeMap<String, usize>,
    /// The drafts, if they were written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drafts: Option<Vec<Value>>,
    /// The review, if the drafts were reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<ReviewResult>,
}

/// What became of drafts in a review.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewResult {
    /// The questions that were added to the gold set, as its lines have them.
    pub accepted: Vec<Value>,
    /// How many of them were edited.
    pub edited: usize,
    /// Number of drafts that were dropped.
    pub declined: usize,
    /// Number of drafts without a decision.
    pub left: usize,
}
