use thiserror::Error;

/// What can go wrong while texts are embedded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Texts without a word have no direction.
    #[error(
        "{count} of {total} texts are empty or blank and cannot be embedded, the first is number {first}"
    )]
    Blank {
        /// Blank texts.
        count: usize,
        /// Texts given.
        total: usize,
        /// Index of the first blank one, from 0.
        first: usize,
    },
    /// The model's files do not fit each other.
    #[error("{model}: {message}. Run `fiel models verify`")]
    Model {
        /// Id of the model.
        model: String,
        /// What is wrong.
        message: String,
    },
    /// The tokenizer could not take a text apart.
    #[error("the model's tokenizer failed: {0}")]
    Tokenizer(String),
    /// A vector is not finite or has no length.
    #[error("the vector of text number {0} is not finite")]
    NotFinite(usize),
    /// A tensor operation failed.
    #[error("embedding failed: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The model could not be loaded.
    #[error(transparent)]
    Load(#[from] fiel_models::Error),
    /// The cache cannot be read or written.
    #[error(transparent)]
    Cache(#[from] fiel_store::Error),
}
