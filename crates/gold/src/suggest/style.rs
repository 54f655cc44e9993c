use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Tag of a question that a model drafted.
pub const DRAFTED: &str = "drafted";

/// How a drafted question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DraftStyle {
    /// In plain words, answered by a passage.
    Plain,
    /// As people talk, answered by a passage.
    Colloquial,
    /// A plain question of the set, misspelled.
    Typo,
    /// Near the subject of a passage, and answered by no document.
    Unanswerable,
}

impl DraftStyle {
    /// Every style. A misspelled question is made of a plain one, which may be accepted before.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Colloquial, Self::Unanswerable, Self::Typo];

    /// The tag of its questions, as the shipped sets have it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Plain | Self::Unanswerable => "style:docs",
            Self::Colloquial => "style:colloquial",
            Self::Typo => "style:typos",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Colloquial => "colloquial",
            Self::Typo => "typo",
            Self::Unanswerable => "unanswerable",
        }
    }
}

impl fmt::Display for DraftStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DraftStyle {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|style| style.name() == name);
        found.ok_or_else(|| {
            format!("`{name}` is no style: plain, colloquial, typo and unanswerable are")
        })
    }
}

/// Something to be written for a gold set, from a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DraftTask {
    /// A question that the passage answers, and its answer in the words of the passage.
    Plain,
    /// The same as someone would type it to a friend.
    Colloquial,
    /// A question about the subject of the passage that the passage does not answer.
    Unanswerable,
}
