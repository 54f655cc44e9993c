//! The shape of a decoder, from the metadata of its GGUF file.

use std::{fs::File, io::BufReader, path::Path};

use candle_core::quantized::gguf_file::{Content, Value};

use crate::{
    Error, Result,
    broken::{ends_early, not_a_model},
};

/// A supported family of decoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Llama and compatible models such as SmolLM2. Rotary pairs are interleaved.
    Llama,
    /// Qwen 2 and 2.5. Queries, keys and values have biases.
    Qwen2,
    /// Qwen 3. Queries and keys are normalised per head.
    Qwen3,
}

/// The shape of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct DecoderConfig {
    /// The family.
    pub family: Family,
    /// Number of transformer blocks.
    pub layers: usize,
    /// Number of query heads.
    pub heads: usize,
    /// Number of key and value heads. Each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// Width of the residual stream.
    pub hidden: usize,
    /// Number of positions that the model was trained with.
    pub context: usize,
    /// Epsilon of the root-mean-square norms.
    pub norm_eps: f32,
    /// Base of the rotary frequencies.
    pub rope_base: f32,
}

impl DecoderConfig {
    /// Reads the metadata of a GGUF file, without its weights.
    ///
    /// # Errors
    /// [`Error::Load`] if the file is not GGUF, its family is unknown or a key is missing.
    pub fn read(path: &Path) -> Result<Self> {
        Self::from_gguf(&open_gguf(path)?.0, path)
    }

    /// Reads the metadata of a GGUF file. Errors name `path`.
    pub(super) fn from_gguf(content: &Content, path: &Path) -> Result<Self> {
        let missing = |key: &str| {
            Error::load(path, format!("metadata key `{key}` is missing or has the wrong type"))
        };
        let arch = content.metadata.get("general.architecture");
        let arch = arch.and_then(|value| value.to_string().ok());
        let arch = arch.ok_or_else(|| missing("general.architecture"))?;
        let family = match arch.as_str() {
            "llama" => Family::Llama,
            "qwen2" => Family::Qwen2,
            "qwen3" => Family::Qwen3,
            other => {
                return Err(Error::load(
                    path,
                    format!("unsupported family `{other}`, expected llama, qwen2 or qwen3"),
                ));
            }
        };
        let get = |key: &str| content.metadata.get(&format!("{arch}.{key}"));
        let number = |key: &str| get(key).and_then(unsigned).ok_or_else(|| missing(key));
        let float = |key: &str| get(key).and_then(|v| v.to_f32().ok());
        let heads = number("attention.head_count")?;
        let hidden = number("embedding_length")?;
        let kv_heads = get("attention.head_count_kv").and_then(unsigned).unwrap_or(heads);
        if heads == 0 || kv_heads == 0 || heads % kv_heads != 0 || hidden % heads != 0 {
            return Err(Error::load(
                path,
                format!("{heads} heads do not fit {kv_heads} key heads and width {hidden}"),
            ));
        }
        let head_dim = get("attention.key_length").and_then(unsigned).unwrap_or(hidden / heads);
        Ok(Self {
            family,
            layers: number("block_count")?,
            heads,
            kv_heads,
            head_dim,
            hidden,
            context: number("context_length")?,
            norm_eps: float("attention.layer_norm_rms_epsilon")
                .ok_or_else(|| missing("attention.layer_norm_rms_epsilon"))?,
            rope_base: float("rope.freq_base").unwrap_or(10_000.0),
        })
    }
}

/// Returns the number of weights in a GGUF file.
///
/// # Errors
/// [`Error::Load`] if the file cannot be read or is not GGUF.
pub fn parameters(path: &Path) -> Result<u64> {
    let (content, _) = open_gguf(path)?;
    let tensors = content.tensor_infos.values();
    Ok(tensors.map(|tensor| tensor.shape.elem_count() as u64).sum())
}

fn unsigned(value: &Value) -> Option<usize> {
    match value {
        Value::U32(n) => Some(*n as usize),
        Value::I32(n) => usize::try_from(*n).ok(),
        Value::U64(n) => usize::try_from(*n).ok(),
        _ => None,
    }
}

/// Opens a GGUF file and reads its header. The tensors can be read from the returned file.
pub(super) fn open_gguf(path: &Path) -> Result<(Content, BufReader<File>)> {
    if let Some(problem) = not_a_model(path) {
        return Err(Error::load(path, problem));
    }
    let file = File::open(path).map_err(|e| Error::load(path, e))?;
    let size = file.metadata().map_err(|e| Error::load(path, e))?.len();
    let mut file = BufReader::new(file);
    let content = Content::read(&mut file).map_err(|e| {
        let problem = match e.to_string() {
            text if text.contains("fill whole buffer") || text.contains("remaining") => {
                format!("it ends early, after {size} bytes")
            }
            text => text,
        };
        Error::load(path, format!("not a GGUF file, or a damaged one: {problem}"))
    })?;
    match ends_early(&content, size) {
        Some(problem) => Err(Error::load(path, problem)),
        None => Ok((content, file)),
    }
}
