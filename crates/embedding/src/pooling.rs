//! Pooling and maximum length, from the files that sentence-transformers stores alongside a
//! model.

use std::fmt;

use fiel_models::ModelFiles;
use serde_json::Value;

use crate::{
    Error,
    config::{invalid, read_json},
};

/// Maximum length in pieces without `sentence_bert_config.json`.
const DEFAULT_LENGTH: usize = 256;

/// How the vectors of a text's pieces become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The mean over all pieces, markers included.
    Mean,
    /// The vector of the first marker.
    Cls,
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Cls => "cls",
        })
    }
}

impl Pooling {
    /// Reads `1_Pooling/config.json`. Without it, the mean is taken.
    pub(crate) fn load(files: &ModelFiles) -> Result<Self, Error> {
        const NAME: &str = "1_Pooling/config.json";
        let Some(value) = read_optional_json(files, NAME)? else { return Ok(Self::Mean) };
        let modes: Vec<&str> = value
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, on)| **on == Value::Bool(true))
            .filter_map(|(key, _)| key.strip_prefix("pooling_mode_"))
            .collect();
        match modes[..] {
            ["mean_tokens"] => Ok(Self::Mean),
            ["cls_token"] => Ok(Self::Cls),
            _ => {
                let modes = modes.join(", ");
                let expected = "expected mean_tokens or cls_token";
                Err(invalid(files, format!("{NAME}: unsupported pooling [{modes}], {expected}")))
            }
        }
    }
}

/// Maximum length of a text in pieces, markers included: `max_seq_length` of
/// `sentence_bert_config.json` or else 256, and at most `positions`.
pub(crate) fn max_length(files: &ModelFiles, positions: usize) -> Result<usize, Error> {
    const NAME: &str = "sentence_bert_config.json";
    let length = match read_optional_json(files, NAME)? {
        None => DEFAULT_LENGTH,
        Some(value) if value["do_lower_case"] == Value::Bool(true) => {
            return Err(invalid(files, format!("{NAME}: do_lower_case is not supported")));
        }
        Some(value) => match &value["max_seq_length"] {
            // sentence-transformers takes the model's own limit.
            Value::Null => positions,
            value => value.as_u64().map_or(0, |length| length as usize),
        },
    };
    // Two markers and a piece.
    match length.min(positions) {
        length @ 3.. => Ok(length),
        length => Err(invalid(files, format!("a maximum length of {length} pieces is too short"))),
    }
}

/// Rejects a model with a stage that would change its vectors and is not supported.
pub(crate) fn check_stages(files: &ModelFiles) -> Result<(), Error> {
    const NAME: &str = "modules.json";
    let value = read_optional_json(files, NAME)?.unwrap_or_default();
    for stage in value.as_array().into_iter().flatten() {
        // Such as "sentence_transformers.models.Pooling".
        let name = stage["type"].as_str().unwrap_or("");
        let class = name.rsplit('.').next().unwrap_or("");
        if !["Transformer", "Pooling", "Normalize"].contains(&class) {
            return Err(invalid(files, format!("{NAME}: the stage {name:?} is not supported")));
        }
    }
    Ok(())
}

fn read_optional_json(files: &ModelFiles, name: &str) -> Result<Option<Value>, Error> {
    let exists = files.names().any(|known| known == name);
    exists.then(|| read_json(files, name)).transpose()
}
