//! Exit statuses.

use std::process::ExitCode;

/// What the exit status says of a command that completed; an error ends with status 2.
pub enum Verdict {
    /// Status 0.
    Good,
    /// Status 1: a target was missed, a measure regressed, or a strict check failed.
    BelowGate,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Good => Self::SUCCESS,
            Verdict::BelowGate => Self::from(1),
        }
    }
}
