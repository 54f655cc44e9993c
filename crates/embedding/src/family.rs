//! `config.json`: which architecture the weights are of, and how long a text they read.

use candle_nn::VarBuilder;
use candle_transformers::models::bert::Config;
use fiel_models::ModelFiles;
use serde_json::Value;
use tokenizers::Tokenizer;

use crate::Error;

/// The architectures that share one encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Bert,
    /// RoBERTa and XLM-RoBERTa.
    Roberta,
}

impl Family {
    /// Number of a text's first position. RoBERTa's positions follow that of its padding.
    pub(crate) fn first_position(self, config: &Config) -> u32 {
        match self {
            Self::Bert => 0,
            Self::Roberta => config.pad_token_id as u32 + 1,
        }
    }

    /// What stands before the names of the encoder's tensors in a model with a head.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Roberta => "roberta",
        }
    }

    /// The encoder's tensors, whether the file has them with their prefix or without.
    pub(crate) fn encoder_of(self, weights: &VarBuilder<'static>) -> VarBuilder<'static> {
        if weights.contains_tensor("embeddings.word_embeddings.weight") {
            weights.clone()
        } else {
            weights.pp(self.prefix())
        }
    }
}

/// Reads a JSON file of the model.
pub(crate) fn json(files: &ModelFiles, name: &str) -> Result<Value, Error> {
    let bad = |message| Error::Model {
        model: files.id().to_owned(),
        message: format!("{name}: {message}"),
    };
    let text = std::fs::read_to_string(files.path(name)?).map_err(|e| bad(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| bad(e.to_string()))
}

/// The model's shape and family.
pub(crate) fn config(files: &ModelFiles) -> Result<(Config, Family), Error> {
    let bad = |message| Error::Model {
        model: files.id().to_owned(),
        message: format!("config.json: {message}"),
    };
    let value = json(files, "config.json")?;
    let family = match value["model_type"].as_str() {
        Some("bert") => Family::Bert,
        Some("roberta" | "xlm-roberta") => Family::Roberta,
        other => {
            return Err(bad(format!(
                "model_type {:?} is not read; bert, roberta and xlm-roberta are",
                other.unwrap_or("")
            )));
        }
    };
    let config: Config = serde_json::from_value(value).map_err(|e| bad(e.to_string()))?;
    let heads = config.num_attention_heads;
    if heads == 0 || !config.hidden_size.is_multiple_of(heads) {
        return Err(bad(format!(
            "hidden_size {} is no multiple of num_attention_heads {heads}",
            config.hidden_size
        )));
    }
    Ok((config, family))
}

/// Refuses a tokenizer that knows pieces which the model has no vectors for.
pub(crate) fn check_vocabulary(
    files: &ModelFiles,
    tokenizer: &Tokenizer,
    config: &Config,
) -> Result<(), Error> {
    let pieces = tokenizer.get_vocab_size(true);
    if pieces <= config.vocab_size {
        return Ok(());
    }
    Err(Error::Model {
        model: files.id().to_owned(),
        message: format!(
            "tokenizer.json has {pieces} pieces and config.json a vocab_size of {}",
            config.vocab_size
        ),
    })
}

/// Positions that the model has for the pieces of a text.
pub(crate) fn positions(config: &Config, family: Family) -> usize {
    config
        .max_position_embeddings
        .saturating_sub(family.first_position(config) as usize)
}
