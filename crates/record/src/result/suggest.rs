//! `fiel gold suggest`

use std::{collections::BTreeMap, path::PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::counted;

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

impl SuggestResult {
    /// `Dropped 3 attempts: 2 because …, 1 because …`
    pub fn dropped_line(&self) -> String {
        if self.dropped.is_empty() {
            return "No attempt was dropped".to_owned();
        }
        let reasons = self.dropped.iter();
        let reasons: Vec<String> = reasons.map(|(why, n)| format!("{n} because {why}")).collect();
        let total = counted(self.dropped.values().sum(), "attempt");
        format!("Dropped {total}: {}", reasons.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted() {
        let line = |dropped: &[(&str, usize)]| {
            let dropped = dropped.iter().map(|(why, n)| ((*why).to_owned(), *n));
            let result = SuggestResult {
                gold: PathBuf::new(),
                drafted: 0,
                dropped: dropped.collect(),
                drafts: None,
                reviewed: None,
            };
            result.dropped_line()
        };
        assert_eq!(line(&[]), "No attempt was dropped");
        let reasons = [("it repeats", 1), ("it has no answer", 2)];
        let text = "Dropped 3 attempts: 2 because it has no answer, 1 because it repeats";
        assert_eq!(line(&reasons), text);
    }
}
