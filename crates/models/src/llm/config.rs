use std::{fs::File, io::BufReader, path::Path};

use candle_core::quantized::gguf_file::{Content, Value};

use crate::{Error, Result};

/// Families of decoders whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Llama and its kin (SmolLM2 among them): rotary pairs interleaved.
    Llama,
    /// Qwen 2 and 2.5: biases on queries, keys and values.
    Qwen2,
    /// Qwen 3: queries and keys are normalised by head.
    Qwen3,
}

/// The shape of a decoder, read from the metadata of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct DecoderConfig {
    /// Which family the file names.
    pub family: Family,
    /// Transformer blocks.
    pub layers: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// Width of one head.
    pub head_dim: usize,
    /// Width of the residual stream.
    pub hidden: usize,
    /// Positions the model was trained for.
    pub context: usize,
    /// Epsilon of the root-mean-square norms.
    pub norm_eps: f32,
    /// Base of the rotary frequencies.
    pub rope_base: f32,
}

impl DecoderConfig {
    /// Reads the head of a GGUF file and none of its weights.
    ///
    /// # Errors
    /// As [`Decoder::load`](super::Decoder::load), short of a missing tensor.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| load(path, e.to_string()))?;
        let content = Content::read(&mut BufReader::new(file))
            .map_err(|e| load(path, format!("not a GGUF file: {e}")))?;
        Self::from_gguf(&content, path)
    }

    /// # Errors
    /// When the family is unknown or a key is missing; `path` is named in the message.
    pub fn from_gguf(content: &Content, path: &Path) -> Result<Self> {
        let missing = |key: &str| {
            load(
                path,
                format!("the metadata key `{key}` is missing or not a number"),
            )
        };
        let arch = content
            .metadata
            .get("general.architecture")
            .and_then(|v| v.to_string().ok())
            .ok_or_else(|| missing("general.architecture"))?;
        let family = match arch.as_str() {
            "llama" => Family::Llama,
            "qwen2" => Family::Qwen2,
            "qwen3" => Family::Qwen3,
            other => {
                return Err(load(
                    path,
                    format!(
                        "models of the family `{other}` cannot be read; llama, qwen2 and qwen3 can"
                    ),
                ));
            }
        };
        let get = |key: &str| content.metadata.get(&format!("{arch}.{key}"));
        let number = |key: &str| get(key).and_then(unsigned).ok_or_else(|| missing(key));
        let float = |key: &str| get(key).and_then(|v| v.to_f32().ok());
        let heads = number("attention.head_count")?;
        let hidden = number("embedding_length")?;
        let kv_heads = get("attention.head_count_kv")
            .and_then(unsigned)
            .unwrap_or(heads);
        if heads == 0 || kv_heads == 0 || heads % kv_heads != 0 || hidden % heads != 0 {
            return Err(load(
                path,
                format!("{heads} heads over {kv_heads} key heads and width {hidden} do not fit"),
            ));
        }
        let head_dim = get("attention.key_length")
            .and_then(unsigned)
            .unwrap_or(hidden / heads);
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

/// Weights of a GGUF file, counted from its head: what models are compared by in size.
///
/// # Errors
/// When the file cannot be read.
pub fn parameters(path: &Path) -> Result<u64> {
    let file = File::open(path).map_err(|e| load(path, e.to_string()))?;
    let content = Content::read(&mut BufReader::new(file))
        .map_err(|e| load(path, format!("not a GGUF file: {e}")))?;
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

pub(super) fn load(path: &Path, message: String) -> Error {
    Error::Load {
        path: path.to_owned(),
        message,
    }
}
