//! How a text's pieces become one vector, and how many of them are read: the files that
//! sentence-transformers keeps beside a model.

use std::fmt;

use fiel_models::ModelFiles;
use serde_json::Value;

use crate::{Error, family::json};

/// Pieces read of a text when the model does not say.
const DEFAULT_LENGTH: usize = 256;

/// What becomes the vector of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The mean over the attended pieces.
    Mean,
    /// The first marker.
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
    /// By `1_Pooling/config.json`; the mean when there is no such file.
    pub(crate) fn of(files: &ModelFiles) -> Result<Self, Error> {
        const NAME: &str = "1_Pooling/config.json";
        if !has(files, NAME) {
            return Ok(Self::Mean);
        }
        let value = json(files, NAME)?;
        let chosen: Vec<&str> = value
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, on)| **on == Value::Bool(true))
            .filter_map(|(key, _)| key.strip_prefix("pooling_mode_"))
            .collect();
        match chosen[..] {
            ["mean_tokens"] => Ok(Self::Mean),
            ["cls_token"] => Ok(Self::Cls),
            _ => Err(refuse(
                files,
                format!(
                    "{NAME}: pooling by [{}] is not done here; mean_tokens and cls_token are",
                    chosen.join(", ")
                ),
            )),
        }
    }
}

/// Pieces the model reads of a text, markers included: by `sentence_bert_config.json`, else
/// 256, and never more than it has positions for.
pub(crate) fn length(files: &ModelFiles, positions: usize) -> Result<usize, Error> {
    const NAME: &str = "sentence_bert_config.json";
    let mut length = DEFAULT_LENGTH;
    if has(files, NAME) {
        let value = json(files, NAME)?;
        if value["do_lower_case"] == Value::Bool(true) {
            return Err(refuse(
                files,
                format!("{NAME}: do_lower_case is not done here"),
            ));
        }
        length = match &value["max_seq_length"] {
            // The model's own limit.
            Value::Null => positions,
            wanted => wanted.as_u64().map_or(0, |wanted| wanted as usize),
        };
    }
    // Two markers and a piece.
    match length.min(positions) {
        length @ 3.. => Ok(length),
        length => Err(refuse(
            files,
            format!("a maximum length of {length} pieces is too short"),
        )),
    }
}

/// Refuses a model with a stage that would change its vectors and is not done here.
pub(crate) fn check_stages(files: &ModelFiles) -> Result<(), Error> {
    const NAME: &str = "modules.json";
    if !has(files, NAME) {
        return Ok(());
    }
    let value = json(files, NAME)?;
    for stage in value.as_array().into_iter().flatten() {
        let name = stage["type"].as_str().unwrap_or("");
        // "sentence_transformers.models.Pooling"
        let last = name.rsplit('.').next().unwrap_or("");
        if !["Transformer", "Pooling", "Normalize"].contains(&last) {
            return Err(refuse(
                files,
                format!("{NAME}: the stage {name:?} is not done here"),
            ));
        }
    }
    Ok(())
}

fn has(files: &ModelFiles, name: &str) -> bool {
    files.names().any(|known| known == name)
}

fn refuse(files: &ModelFiles, message: String) -> Error {
    Error::Model {
        model: files.id().to_owned(),
        message,
    }
}
