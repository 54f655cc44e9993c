use thiserror::Error;

/// What can go wrong between a question and its answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting makes no sense.
    #[error("{setting} is {value}: {reason}")]
    BadSetting {
        /// The key as it stands in fiel.toml.
        setting: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be.
        reason: &'static str,
    },
    /// Documents without text below their headings.
    #[error(
        "{kb}: none of its {documents} documents has text below its headings, so there is nothing to search"
    )]
    NoChunks {
        /// The knowledge base.
        kb: String,
        /// Its documents.
        documents: usize,
    },
    /// A model of another kind was named as reader or embedder.
    #[error(
        "{setting} names `{id}`, which is a model for {task}. `fiel models list` shows the models and their tasks"
    )]
    WrongTask {
        /// The key as it stands in fiel.toml.
        setting: &'static str,
        /// The model.
        id: String,
        /// What it is for.
        task: String,
    },
    /// The model was not trained for conversations.
    #[error(
        "read.model: {path} has neither a chat template nor the markers of ChatML (<|im_start|>, <|im_end|>): it is no chat model"
    )]
    NoChat {
        /// The file.
        path: String,
    },
    /// A prompt file cannot be used.
    #[error("{setting}: {}: {problem}", path.display())]
    Prompt {
        /// The key as it stands in fiel.toml.
        setting: &'static str,
        /// The file or folder.
        path: std::path::PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The judge would be weaker than what it judges.
    #[error(
        "judge.model: `{judge}` has {parameters} parameters, fewer than the {of_reader} of `{reader}`, whose answers it would judge. Leave judge.model out, or name a larger model"
    )]
    WeakJudge {
        /// The judge.
        judge: String,
        /// Its parameters.
        parameters: u64,
        /// The reader.
        reader: String,
        /// Parameters of the reader.
        of_reader: u64,
    },
    /// The prompt does not fit the model.
    #[error(
        "the prompt has {tokens} tokens and the answer may have {answer}; the model reads {capacity} in all. Lower read.context_k or read.context_tokens"
    )]
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens of the answer at the most.
        answer: usize,
        /// Positions of the model.
        capacity: usize,
    },
    /// The language model failed.
    #[error("the reader failed: {0}")]
    Tensor(#[from] candle_core::Error),
    /// A model could not be found or loaded.
    #[error(transparent)]
    Model(#[from] fiel_models::Error),
    /// A document or a stored file is bad.
    #[error(transparent)]
    Corpus(#[from] fiel_corpus::Error),
    /// A stored file cannot be read or written.
    #[error(transparent)]
    Store(#[from] fiel_store::Error),
    /// Embedding failed.
    #[error(transparent)]
    Embedding(#[from] fiel_embedding::Error),
    /// Retrieval failed.
    #[error(transparent)]
    Retrieval(#[from] fiel_retrieval::Error),
}
