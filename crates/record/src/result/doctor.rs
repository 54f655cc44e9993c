//! `fiel doctor`

use schemars::JsonSchema;
use serde::Serialize;

/// Something that a run needs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DoctorCheck {
    /// Its name: `device`, `model ID`, `knowledge base NAME`.
    pub what: String,
    /// Whether it can be used.
    pub good: bool,
    /// Where it is, or what is wrong and what to do.
    pub detail: String,
}
