//! What makes a gold set misleading, found without any model.

mod answers;
mod copies;
mod coverage;
mod duplicates;
mod evidence;
mod finding;
mod language;
mod passages;
mod report;
mod unanswerable;
mod words;

pub use finding::{Code, Finding, Level};
pub use report::{LINT_SCHEMA, LintReport, lint};

pub(crate) use passages::Passages;
pub use passages::{BoxError, BuildIndex, PassageIndex};
pub(crate) use report::lint_question;
pub(crate) use words::content;
