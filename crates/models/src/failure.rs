//! Failures of a source on the network.

use std::{io, path::Path, time::Duration};

/// Time without data after which a source is abandoned.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a source did not provide a model.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) reason: String,
    /// Whether the source as a whole did not respond. It is then skipped for the rest of the run.
    pub(crate) unreachable: bool,
}

impl Failure {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), unreachable: false }
    }

    pub(crate) fn unreachable(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), unreachable: true }
    }

    pub(crate) fn stalled() -> Self {
        let seconds = STALL_TIMEOUT.as_secs();
        Self::unreachable(format!("no data for {seconds} s"))
    }

    /// Creates a failure for `map_err` on file operations.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Self::new(format!("cannot {action} {path}: {error}"))
    }

    /// Prefixes the reason with the requested item.
    pub(crate) fn context(self, item: &str) -> Self {
        Self { reason: format!("{item}: {}", self.reason), ..self }
    }
}
