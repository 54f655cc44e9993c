//! Why a source on the network gave nothing.

use std::io;
use std::path::Path;
use std::time::Duration;

/// A source from which nothing comes for this long is given up.
pub(crate) const SILENCE: Duration = Duration::from_secs(5);

/// Why a source gave nothing.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) reason: String,
    /// The source as a whole did not answer, so nothing more is asked of it in this run.
    pub(crate) unreachable: bool,
}

impl Failure {
    pub(crate) fn answered(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            unreachable: false,
        }
    }

    pub(crate) fn unreachable(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            unreachable: true,
        }
    }

    pub(crate) fn silent() -> Self {
        Self::unreachable(format!("nothing came for {} s", SILENCE.as_secs()))
    }

    /// For `map_err` on file operations.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Self::answered(format!("cannot {action} {path}: {error}"))
    }

    /// The same with what was asked for in front.
    pub(crate) fn of(self, what: &str) -> Self {
        Self {
            reason: format!("{what}: {}", self.reason),
            ..self
        }
    }
}
