//! Errors of loading a model and embedding texts.

use thiserror::Error;

/// An error of loading a model or embedding texts.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// Some texts are blank, so they have no vector.
    #[error(
        "cannot embed {count} of {total} texts because they are empty or blank; the first has index {first}"
    )]
    Blank { count: usize, total: usize, first: usize },
    /// The model's files do not fit each other or need a feature that is not supported.
    #[error("{model}: {message}. Run `fiel models verify`")]
    Model { model: String, message: String },
    /// The tokenizer cannot encode a text.
    #[error("the tokenizer of the model failed: {0}")]
    Tokenizer(String),
    /// A vector is zero or not finite, or a score is not finite.
    #[error("the model output for the text with index {0} is zero or not finite")]
    NotFinite(usize),
    /// A tensor operation failed.
    #[error("embedding failed: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The model cannot be loaded.
    #[error(transparent)]
    Load(#[from] fiel_models::Error),
    /// The cache cannot be read or written.
    #[error(transparent)]
    Cache(#[from] fiel_store::Error),
}
