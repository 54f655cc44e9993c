//! The error type of this crate.

use std::path::PathBuf;

use thiserror::Error;

use crate::PromptFault;

/// A pipeline that cannot be built or used.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant shows its fields")]
pub enum Error {
    /// A setting that is out of range or does not fit the others.
    #[error("{setting} is {value}: {reason}")]
    BadSetting { setting: &'static str, value: String, reason: &'static str },
    /// A model for another task.
    #[error(
        "{setting} names `{id}`, which is a model for {task}. `fiel models list` shows the models and their tasks"
    )]
    WrongTask { setting: &'static str, id: String, task: String },
    /// A language model that was not trained for conversations.
    #[error(
        "read.model: {} is not a chat model: it has neither a chat template nor the ChatML tokens <|im_start|> and <|im_end|>",
        .0.display()
    )]
    NoChat(PathBuf),
    /// A prompt file that cannot be used.
    #[error("{setting}: {}: {fault}", path.display())]
    Prompt { setting: &'static str, path: PathBuf, fault: Box<PromptFault> },
    /// A prompt that does not fit the model.
    #[error(
        "the prompt has {tokens} tokens and the answer up to {answer}, but the model reads at most {capacity}. Lower read.context_k or read.context_tokens"
    )]
    TooLong { tokens: usize, answer: usize, capacity: usize },
    /// A cached answer to a yes/no question that is not a number.
    #[error(
        "the cached probability `{0}` is not a number. Run `fiel clean` to delete cached answers"
    )]
    CachedProbability(String),
    /// A failure of the language model.
    #[error("the reader failed: {0}")]
    Tensor(#[from] candle_core::Error),
    /// A model that cannot be obtained or loaded.
    #[error(transparent)]
    Model(#[from] fiel_models::Error),
    /// A stored file that cannot be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// A text that cannot be embedded.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
    /// A failure of retrieval.
    #[error(transparent)]
    Retrieval(#[from] fiel_retrieval::Error),
}
