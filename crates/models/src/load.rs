//! Loading of tensors and tokenizers from verified files.

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use tokenizers::Tokenizer;

use crate::{
    Error, ModelFiles, Result,
    broken::{is_cut_safetensors, not_a_model},
};

/// Reads the tensors of a safetensors file into memory. Unlike a memory map, this is sound even
/// if another process changes the file.
///
/// # Errors
/// [`Error::NoSuchFile`], [`Error::Io`], or [`Error::Load`] if the file is not valid.
pub fn load_safetensors(
    files: &ModelFiles,
    name: &str,
    dtype: DType,
    device: &Device,
) -> Result<VarBuilder<'static>> {
    let path = files.path(name)?;
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    if let Some(problem) = not_a_model(path).or_else(|| is_cut_safetensors(&bytes)) {
        return Err(Error::load(path, problem));
    }
    VarBuilder::from_buffered_safetensors(bytes, dtype, device)
        .map_err(|error| Error::load(path, error))
}

/// Reads the model's `tokenizer.json`, including the padding and truncation that it sets.
///
/// # Errors
/// [`Error::NoSuchFile`], [`Error::Io`], or [`Error::Load`] if the file is not valid.
pub fn load_tokenizer(files: &ModelFiles) -> Result<Tokenizer> {
    let path = files.path("tokenizer.json")?;
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    Tokenizer::from_bytes(bytes).map_err(|error| Error::load(path, error))
}
