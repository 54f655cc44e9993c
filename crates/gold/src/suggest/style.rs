//! Styles of drafted questions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Tag of a question that a model drafted.
pub const DRAFTED: &str = "drafted";

/// The style of a drafted question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DraftStyle {
    /// In plain words, answered by a passage.
    Plain,
    /// In colloquial words, answered by a passage.
    Colloquial,
    /// A plain question of the set, misspelled.
    Typo,
    /// About the subject of a passage, and answered by no document.
    Unanswerable,
}

impl DraftStyle {
    /// All styles. Misspelled questions come last, because they are made from plain ones.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Colloquial, Self::Unanswerable, Self::Typo];

    /// The tag of its questions, as in the shipped sets.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Plain | Self::Unanswerable => "style:docs",
            Self::Colloquial => "style:colloquial",
            Self::Typo => "style:typos",
        }
    }
}

impl fmt::Display for DraftStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What the model writes from a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DraftTask {
    /// A question that the passage answers, and its answer in the words of the passage.
    Plain,
    /// The same as a person would write it to a friend.
    Colloquial,
    /// A question about the subject of the passage that the passage does not answer.
    Unanswerable,
}
