//! Failures of a source on the network.

use std::time::Duration;

use crate::Error;

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
        Self::unreachable(format!("no data for {} s", STALL_TIMEOUT.as_secs()))
    }

    /// Prefixes the reason with the requested item.
    pub(crate) fn context(self, item: &str) -> Self {
        Self { reason: format!("{item}: {}", self.reason), ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(match error {
            // Without the temporary folder of the download.
            Error::Mismatch { path, expected, actual } => {
                let file = path.file_name().unwrap_or_default().display();
                format!("{file}: expected {expected}, got {actual}")
            }
            other => other.to_string(),
        })
    }
}
