//! From verified files to tensors and tokenizers.

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use tokenizers::Tokenizer;

use crate::{Error, ModelFiles, Result};

/// The tensors of a safetensors file. The file is read into memory, which stays safe
/// when somebody changes it meanwhile; a memory map would not.
///
/// # Errors
/// [`Error::NoSuchFile`], [`Error::Io`], and [`Error::Load`] when it is no safetensors
/// file.
pub fn load_safetensors(
    files: &ModelFiles,
    name: &str,
    dtype: DType,
    device: &Device,
) -> Result<VarBuilder<'static>> {
    let path = files.path(name)?;
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    VarBuilder::from_buffered_safetensors(bytes, dtype, device).map_err(|error| Error::Load {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// The model's `tokenizer.json` as it stands, its own padding and truncation included:
/// the caller sets both by hand.
///
/// # Errors
/// [`Error::NoSuchFile`], [`Error::Io`], and [`Error::Load`] when it is no tokenizer.
pub fn load_tokenizer(files: &ModelFiles) -> Result<Tokenizer> {
    let path = files.path("tokenizer.json")?;
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    Tokenizer::from_bytes(bytes).map_err(|error| Error::Load {
        path: path.to_owned(),
        message: error.to_string(),
    })
}
