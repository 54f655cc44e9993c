//! The decoder-only transformer.

use std::path::Path;

use candle_core::{DType, Device, Result as TensorResult, Tensor, quantized::QMatMul};
use candle_nn::{Module, ops, rotary_emb};

use super::{
    config::{DecoderConfig, Family, open_gguf},
    weights::{Repacked, Weights},
};
use crate::{Error, Result};

/// Number of positions in a block. Prompts are read in blocks that start at multiples of it, no
/// matter what is cached, so a prompt always goes through products of the same shapes and has the
/// same logits to the bit. A shared prefix must end at a multiple.
pub const BLOCK: usize = 32;

/// A decoder-only transformer over quantized weights with a preallocated key and value cache.
///
/// Grouped attention does not repeat keys, the embedding table stays quantized, and logits are
/// computed only for the last position. The architecture follows llama.cpp's graphs for `llama`,
/// `qwen2` and `qwen3`. Tests compare it with Candle's models of these families.
pub struct Decoder {
    config: DecoderConfig,
    repacked: Repacked,
    embedding: QMatMul,
    layers: Vec<Layer>,
    norm: Tensor,
    output: QMatMul,
    rotary: Rotary,
    device: Device,
    capacity: usize,
    len: usize,
}

struct Layer {
    attention_norm: Tensor,
    query: Projection,
    key: Projection,
    value: Projection,
    query_norm: Option<Tensor>,
    key_norm: Option<Tensor>,
    attention_out: QMatMul,
    mlp_norm: Tensor,
    gate: QMatMul,
    up: QMatMul,
    down: QMatMul,
    /// `(kv_heads, capacity, head_dim)`. Positions from `len` on are undefined.
    keys: Tensor,
    values: Tensor,
}

/// The input of a layer besides the hidden states of a block.
struct Pass<'a> {
    /// `None` for a single token, which attends to all positions before it.
    mask: Option<Tensor>,
    /// Position of the first token in the block.
    position: usize,
    config: &'a DecoderConfig,
    rotary: &'a Rotary,
}

struct Projection {
    weight: QMatMul,
    bias: Option<Tensor>,
}

impl Projection {
    fn forward(&self, x: &Tensor) -> TensorResult<Tensor> {
        let y = self.weight.forward(x)?;
        match &self.bias {
            Some(bias) => y.broadcast_add(bias),
            None => Ok(y),
        }
    }
}

struct Rotary {
    cos: Tensor,
    sin: Tensor,
    interleaved: bool,
}

impl Rotary {
    /// Rotates `(1, heads, positions, head_dim)`, starting at `position`.
    fn apply(&self, x: &Tensor, position: usize) -> TensorResult<Tensor> {
        let count = x.dim(2)?;
        let cos = self.cos.narrow(0, position, count)?;
        let sin = self.sin.narrow(0, position, count)?;
        if self.interleaved {
            rotary_emb::rope_i(x, &cos, &sin)
        } else {
            rotary_emb::rope(x, &cos, &sin)
        }
    }
}

impl Decoder {
    /// Loads a GGUF file. The capacity is `positions` for prompt and answer together, and at most
    /// what the model was trained with.
    ///
    /// # Errors
    /// [`Error::Load`] if the file is not GGUF, its family is unknown or a
    /// tensor is missing.
    pub fn load(path: &Path, device: &Device, positions: usize) -> Result<Self> {
        let (content, file) = open_gguf(path)?;
        let config = DecoderConfig::from_gguf(&content, path)?;
        let mut weights =
            Weights { content: &content, file, path, device, repacked: Repacked::default() };
        let capacity = positions.min(config.context).max(1);

        let embedding = weights.matmul("token_embd.weight")?;
        let output = if weights.has("output.weight") {
            weights.matmul("output.weight")?
        } else {
            embedding.clone()
        };
        let factors = weights.optional_dense("rope_freqs.weight")?;
        Ok(Self {
            rotary: rotary(&config, capacity, factors, device).map_err(|e| Error::load(path, e))?,
            embedding,
            output,
            layers: (0..config.layers)
                .map(|index| layer(&mut weights, &config, index, capacity))
                .collect::<Result<_>>()?,
            norm: weights.dense("output_norm.weight")?,
            repacked: weights.repacked,
            device: device.clone(),
            config,
            capacity,
            len: 0,
        })
    }

    /// The shape of the model.
    pub fn config(&self) -> &DecoderConfig {
        &self.config
    }

    /// The tensors that were requantized because Candle has no fast kernel for their type.
    pub fn repacked(&self) -> &Repacked {
        &self.repacked
    }

    /// Maximum number of positions, prompt and answer together.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Number of positions read.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no position has been read.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the positions from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Reads tokens after the ones read before. Returns the logits of the token that follows.
    ///
    /// # Errors
    /// If `tokens` is empty or exceeds the capacity, an id is out of range, or a logit is NaN.
    pub fn forward(&mut self, tokens: &[u32]) -> TensorResult<Vec<f32>> {
        if tokens.is_empty() {
            candle_core::bail!("expected at least one token, got none");
        }
        if self.len + tokens.len() > self.capacity {
            candle_core::bail!(
                "{} tokens after {} do not fit the {} positions of the model",
                tokens.len(),
                self.len,
                self.capacity
            );
        }
        let until_boundary = BLOCK - self.len % BLOCK;
        let (first, rest) = tokens.split_at(until_boundary.min(tokens.len()));
        let mut hidden = self.block(first)?;
        for block in rest.chunks(BLOCK) {
            hidden = self.block(block)?;
        }
        self.logits(&hidden)
    }

    fn logits(&self, hidden: &Tensor) -> TensorResult<Vec<f32>> {
        let last = hidden.narrow(0, hidden.dim(0)? - 1, 1)?.contiguous()?;
        let last = ops::rms_norm(&last, &self.norm, self.config.norm_eps)?;
        let logits =
            self.output.forward(&last)?.squeeze(0)?.to_dtype(DType::F32)?.to_vec1::<f32>()?;
        if logits.iter().any(|l| l.is_nan()) {
            candle_core::bail!("the model returned a logit that is not a number");
        }
        Ok(logits)
    }

    /// Reads a block. Returns the hidden states after the last layer, `(tokens, hidden)`.
    fn block(&mut self, tokens: &[u32]) -> TensorResult<Tensor> {
        let ids = Tensor::new(tokens, &self.device)?;
        let mut x = self.embedding.embedding(&ids)?;
        let mask = match tokens.len() {
            1 => None,
            count => Some(causal_mask(count, self.len, &self.device)?),
        };
        let pass = Pass { mask, position: self.len, config: &self.config, rotary: &self.rotary };
        for layer in &mut self.layers {
            x = layer.forward(&x, &pass)?;
        }
        self.len += tokens.len();
        Ok(x)
    }
}

impl Layer {
    fn forward(&mut self, x: &Tensor, pass: &Pass<'_>) -> TensorResult<Tensor> {
        let norm_eps = pass.config.norm_eps;
        let normed = ops::rms_norm(x, &self.attention_norm, norm_eps)?;
        let x = (x + self.attention(&normed, pass)?)?;
        let normed = ops::rms_norm(&x, &self.mlp_norm, norm_eps)?;
        let gate = ops::silu(&self.gate.forward(&normed)?)?;
        let up = self.up.forward(&normed)?;
        &x + self.down.forward(&(gate * up)?)?
    }

    fn attention(&mut self, x: &Tensor, pass: &Pass<'_>) -> TensorResult<Tensor> {
        let Pass { mask, position, config, rotary } = pass;
        let position = *position;
        let count = x.dim(0)?;
        let DecoderConfig { heads, kv_heads, head_dim, norm_eps, .. } = **config;
        // (positions, heads * dim) -> (1, heads, positions, dim)
        let by_head = |y: Tensor, heads: usize, norm: &Option<Tensor>| -> TensorResult<Tensor> {
            let y = y.reshape((count, heads, head_dim))?;
            let y = match norm {
                Some(norm) => ops::rms_norm(&y.contiguous()?, norm, norm_eps)?,
                None => y,
            };
            y.transpose(0, 1)?.contiguous()?.unsqueeze(0)
        };
        let query = by_head(self.query.forward(x)?, heads, &self.query_norm)?;
        let key = by_head(self.key.forward(x)?, kv_heads, &self.key_norm)?;
        let value = by_head(self.value.forward(x)?, kv_heads, &None)?;
        let query = rotary.apply(&query, position)?;
        let key = rotary.apply(&key, position)?;
        self.keys.slice_set(&key.squeeze(0)?, 1, position)?;
        self.values.slice_set(&value.squeeze(0)?, 1, position)?;

        let seen = position + count;
        let keys = self.keys.narrow(1, 0, seen)?;
        let values = self.values.narrow(1, 0, seen)?;
        // The query heads of a key head are the rows of one product.
        let rows = heads / kv_heads * count;
        let query =
            (query.reshape((kv_heads, rows, head_dim))? * (1.0 / (head_dim as f64).sqrt()))?;
        let scores = query.matmul(&keys.transpose(1, 2)?)?;
        let scores = match mask {
            Some(mask) => scores
                .reshape((heads, count, seen))?
                .broadcast_add(mask)?
                .reshape((kv_heads, rows, seen))?,
            None => scores,
        };
        let mixed = ops::softmax_last_dim(&scores)?.matmul(&values)?;
        let mixed = mixed.reshape((heads, count, head_dim))?.transpose(0, 1)?;
        self.attention_out.forward(&mixed.reshape((count, heads * head_dim))?)
    }
}

/// A mask of shape `(count, before + count)`: 0 up to the own position, minus infinity after it.
fn causal_mask(count: usize, before: usize, device: &Device) -> TensorResult<Tensor> {
    let seen = before + count;
    let is_visible = |cell: usize| cell % seen <= before + cell / seen;
    let mask = (0..count * seen).map(|cell| if is_visible(cell) { 0.0 } else { f32::NEG_INFINITY });
    Tensor::from_vec(mask.collect(), (count, seen), device)
}

/// Rotary tables (Su et al., RoFormer, 2021). `factors` divide the frequencies, for the long
/// contexts of Llama 3.1.
fn rotary(
    config: &DecoderConfig,
    positions: usize,
    factors: Option<Tensor>,
    device: &Device,
) -> TensorResult<Rotary> {
    let half = config.head_dim / 2;
    let factors = factors.map(|factors| factors.to_vec1::<f32>()).transpose()?.unwrap_or_default();
    let frequency = |i: usize| {
        1.0 / config.rope_base.powf(2.0 * i as f32 / config.head_dim as f32)
            / factors.get(i).copied().unwrap_or(1.0)
    };
    let angles = (0..positions * half).map(|cell| (cell / half) as f32 * frequency(cell % half));
    let angles = Tensor::from_vec(angles.collect(), (positions, half), device)?;
    Ok(Rotary {
        cos: angles.cos()?,
        sin: angles.sin()?,
        interleaved: config.family == Family::Llama,
    })
}

fn layer(
    weights: &mut Weights<'_>,
    config: &DecoderConfig,
    index: usize,
    capacity: usize,
) -> Result<Layer> {
    let name = |part: &str| format!("blk.{index}.{part}");
    let mut projection = |part: &str| -> Result<Projection> {
        Ok(Projection {
            weight: weights.matmul(&name(&format!("{part}.weight")))?,
            bias: weights.optional_dense(&name(&format!("{part}.bias")))?,
        })
    };
    let (query, key, value) = (projection("attn_q")?, projection("attn_k")?, projection("attn_v")?);
    let cache = || {
        Tensor::zeros((config.kv_heads, capacity, config.head_dim), DType::F32, weights.device)
            .map_err(|e| Error::load(weights.path, e))
    };
    let (keys, values) = (cache()?, cache()?);
    Ok(Layer {
        attention_norm: weights.dense(&name("attn_norm.weight"))?,
        query,
        key,
        value,
        query_norm: weights.optional_dense(&name("attn_q_norm.weight"))?,
        key_norm: weights.optional_dense(&name("attn_k_norm.weight"))?,
        attention_out: weights.matmul(&name("attn_output.weight"))?,
        mlp_norm: weights.dense(&name("ffn_norm.weight"))?,
        gate: weights.matmul(&name("ffn_gate.weight"))?,
        up: weights.matmul(&name("ffn_up.weight"))?,
        down: weights.matmul(&name("ffn_down.weight"))?,
        keys,
        values,
    })
}
