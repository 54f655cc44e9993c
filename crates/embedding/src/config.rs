//! `config.json`: the architecture and the shape of a model.

use candle_nn::VarBuilder;
use fiel_models::{ModelFiles, load_tokenizer};
use serde::Deserialize;
use serde_json::Value;
use tokenizers::{Tokenizer, TruncationParams};

use crate::Error;

/// The shape of an encoder, with the names of `config.json`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) hidden_act: Activation,
    pub(crate) max_position_embeddings: usize,
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
    pub(crate) pad_token_id: u32,
    #[serde(rename = "model_type")]
    pub(crate) family: Family,
}

/// The architectures that share one encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Family {
    Bert,
    #[serde(alias = "xlm-roberta")]
    Roberta,
}

/// The non-linearity of the feed-forward networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Activation {
    /// The exact form, by the error function.
    Gelu,
    Relu,
}

impl Config {
    /// Reads and checks `config.json`.
    pub(crate) fn load(files: &ModelFiles) -> Result<Self, Error> {
        let invalid = |message| invalid(files, format!("config.json: {message}"));
        let value = read_json(files, "config.json")?;
        let config: Self = serde_json::from_value(value).map_err(|e| invalid(e.to_string()))?;
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        if heads == 0 || !width.is_multiple_of(heads) {
            return Err(invalid(format!(
                "hidden_size {width} is not a multiple of num_attention_heads {heads}"
            )));
        }
        Ok(config)
    }

    /// Number of a text's first position. RoBERTa counts from after the padding id.
    pub(crate) fn first_position(&self) -> u32 {
        match self.family {
            Family::Bert => 0,
            Family::Roberta => self.pad_token_id + 1,
        }
    }

    /// Number of positions for the pieces of a text.
    pub(crate) fn positions(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position() as usize)
    }

    /// Reads `tokenizer.json`, without padding and with `truncation`. Rejects a tokenizer with
    /// pieces for which the model has no vectors.
    pub(crate) fn load_tokenizer(
        &self,
        files: &ModelFiles,
        truncation: Option<TruncationParams>,
    ) -> Result<Tokenizer, Error> {
        let mut tokenizer = load_tokenizer(files)?;
        let (pieces, vocab_size) = (tokenizer.get_vocab_size(true), self.vocab_size);
        if pieces > vocab_size {
            let problem = format!("{pieces} pieces, but vocab_size in config.json is {vocab_size}");
            return Err(invalid(files, format!("tokenizer.json has {problem}")));
        }
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(truncation)
            .map_err(|e| invalid(files, format!("tokenizer.json: {e}")))?;
        Ok(tokenizer)
    }
}

impl Family {
    /// The encoder's tensors. In a model with a classification head their names have a prefix.
    pub(crate) fn encoder_weights(self, weights: &VarBuilder<'static>) -> VarBuilder<'static> {
        match self {
            _ if weights.contains_tensor("embeddings.word_embeddings.weight") => weights.clone(),
            Self::Bert => weights.pp("bert"),
            Self::Roberta => weights.pp("roberta"),
        }
    }
}

pub(crate) fn read_json(files: &ModelFiles, name: &str) -> Result<Value, Error> {
    let invalid = |message| invalid(files, format!("{name}: {message}"));
    let text = std::fs::read_to_string(files.path(name)?).map_err(|e| invalid(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| invalid(e.to_string()))
}

/// The error for files that do not fit each other or need what this crate lacks.
pub(crate) fn invalid(files: &ModelFiles, message: impl Into<String>) -> Error {
    Error::Model { model: files.id().to_owned(), message: message.into() }
}
