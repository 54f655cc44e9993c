//! The split of a gold set.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Part of a gold set.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// For choosing prompts and thresholds.
    Dev,
    /// For reported results.
    #[default]
    Test,
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dev => "dev",
            Self::Test => "test",
        })
    }
}
