use std::{fs::File, io::BufReader, path::Path};

use candle_core::{
    DType, Device, Result as TensorResult, Tensor,
    quantized::{QMatMul, gguf_file::Content},
};
use candle_nn::{Module, ops, rotary_emb};

use super::{
    config::{DecoderConfig, Family, load},
    weights::{Repacked, Weights},
};
use crate::Result;

/// Prompts are read in blocks that begin at multiples of this position, whatever was cached
/// before: the same prompt then takes the same products in the same shapes, and its logits are
/// the same to the last bit. A prefix that is to be shared is cut at such a border.
pub const BLOCK: usize = 32;

/// A decoder-only transformer over quantized weights with a preallocated key and value cache.
///
/// Attention is grouped without repeating keys, embedding rows are looked up quantized, and
/// logits are made for the last position only. The architecture follows llama.cpp's graphs for
/// `llama`, `qwen2` and `qwen3`; Candle's models of these families are the reference in tests.
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
    /// `(kv_heads, capacity, head_dim)`; positions from `len` on hold nothing of meaning.
    keys: Tensor,
    values: Tensor,
}

/// What every layer is given with a block.
struct Pass<'a> {
    /// None for a single token, which may look at all before it.
    mask: Option<Tensor>,
    /// Of the first token of the block.
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
    /// Rotates `(1, heads, positions, head_dim)` that begin at `position`.
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
    /// Reads a GGUF file. `positions` bounds prompt and answer together; it is cut to what the
    /// model was trained for.
    ///
    /// # Errors
    /// [`Error::Load`](crate::Error::Load) naming the file: not GGUF, unknown family, missing tensor.
    pub fn load(path: &Path, device: &Device, positions: usize) -> Result<Self> {
        let file = File::open(path).map_err(|e| load(path, e.to_string()))?;
        let mut file = BufReader::new(file);
        let content =
            Content::read(&mut file).map_err(|e| load(path, format!("not a GGUF file: {e}")))?;
        let config = DecoderConfig::from_gguf(&content, path)?;
        let mut weights = Weights {
            content: &content,
            file,
            path,
            device,
            repacked: Repacked::default(),
        };
        let capacity = positions.min(config.context).max(1);

        let embedding = weights.matmul("token_embd.weight")?;
        let output = if weights.has("output.weight") {
            weights.matmul("output.weight")?
        } else {
            embedding.clone()
        };
        let factors = weights.dense_if_any("rope_freqs.weight")?;
        let tensors = |e: candle_core::Error| load(path, e.to_string());
        let rotary = rotary(&config, capacity, factors, device).map_err(tensors)?;
        let mut layers = Vec::with_capacity(config.layers);
        for index in 0..config.layers {
            layers.push(layer(&mut weights, &config, index, capacity)?);
        }
        let norm = weights.dense("output_norm.weight")?;
        let repacked = weights.repacked;
        let device = device.clone();
        Ok(Self {
            config,
            repacked,
            embedding,
            layers,
            norm,
            output,
            rotary,
            device,
            capacity,
            len: 0,
        })
    }

    /// The shape of the model.
    pub fn config(&self) -> &DecoderConfig {
        &self.config
    }

    /// Weights that were packed anew because Candle has no fast kernel for their type.
    pub fn repacked(&self) -> &Repacked {
        &self.repacked
    }

    /// Positions that fit, prompt and answer together.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Positions read so far.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was read yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets every position from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Reads tokens after those read before and returns the logits that follow the last one.
    ///
    /// # Errors
    /// When `tokens` is empty, they do not fit the capacity, an id is out of range, or a logit is
    /// not a number.
    pub fn forward(&mut self, tokens: &[u32]) -> TensorResult<Vec<f32>> {
        if tokens.is_empty() {
            candle_core::bail!("no tokens to read");
        }
        if self.len + tokens.len() > self.capacity {
            candle_core::bail!(
                "{} tokens after {} do not fit the {} positions of the model",
                tokens.len(),
                self.len,
                self.capacity
            );
        }
        let mut rest = tokens;
        loop {
            let until_border = BLOCK - self.len % BLOCK;
            let (block, more) = rest.split_at(until_border.min(rest.len()));
            let hidden = self.block(block)?;
            self.len += block.len();
            rest = more;
            if rest.is_empty() {
                return self.logits(&hidden);
            }
        }
    }

    fn logits(&self, hidden: &Tensor) -> TensorResult<Vec<f32>> {
        let last = hidden.narrow(0, hidden.dim(0)? - 1, 1)?.contiguous()?;
        let last = ops::rms_norm(&last, &self.norm, self.config.norm_eps)?;
        let logits = self
            .output
            .forward(&last)?
            .squeeze(0)?
            .to_dtype(DType::F32)?
            .to_vec1::<f32>()?;
        if logits.iter().any(|l| l.is_nan()) {
            candle_core::bail!("the model gave a logit that is not a number");
        }
        Ok(logits)
    }

    /// One block through all layers: `(tokens, hidden)`.
    fn block(&mut self, tokens: &[u32]) -> TensorResult<Tensor> {
        let ids = Tensor::new(tokens, &self.device)?;
        let mut x = self.embedding.embedding(&ids)?;
        let mask = match tokens.len() {
            1 => None,
            count => Some(causal_mask(count, self.len, &self.device)?),
        };
        let pass = Pass {
            mask,
            position: self.len,
            config: &self.config,
            rotary: &self.rotary,
        };
        for layer in &mut self.layers {
            x = layer.forward(&x, &pass)?;
        }
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
        let Pass {
            mask,
            position,
            config,
            rotary,
        } = pass;
        let position = *position;
        let count = x.dim(0)?;
        let DecoderConfig {
            heads,
            kv_heads,
            head_dim,
            norm_eps,
            ..
        } = **config;
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
        // The query heads of one key head are rows of one product.
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
        self.attention_out
            .forward(&mixed.reshape((count, heads * head_dim))?)
    }
}

/// 0 where a position may look, minus infinity after it: `(count, before + count)`.
fn causal_mask(count: usize, before: usize, device: &Device) -> TensorResult<Tensor> {
    let seen = before + count;
    let mask: Vec<f32> = (0..count)
        .flat_map(|row| {
            (0..seen).map(move |at| {
                if at > before + row {
                    f32::NEG_INFINITY
                } else {
                    0.0
                }
            })
        })
        .collect();
    Tensor::from_vec(mask, (count, seen), device)
}

/// Rotary tables (Su et al., RoFormer, 2021); `factors` divide the frequencies, as the long
/// contexts of Llama 3.1 ask for.
fn rotary(
    config: &DecoderConfig,
    positions: usize,
    factors: Option<Tensor>,
    device: &Device,
) -> TensorResult<Rotary> {
    let half = config.head_dim / 2;
    let factors = match factors {
        Some(factors) => factors.to_vec1::<f32>()?,
        None => vec![1.0; half],
    };
    let frequency = |at: usize| {
        1.0 / config
            .rope_base
            .powf(2.0 * at as f32 / config.head_dim as f32)
            / factors.get(at).copied().unwrap_or(1.0)
    };
    let angles: Vec<f32> = (0..positions)
        .flat_map(|p| (0..half).map(move |at| (p, at)))
        .map(|(p, at)| p as f32 * frequency(at))
        .collect();
    let angles = Tensor::from_vec(angles, (positions, half), device)?;
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
            bias: weights.dense_if_any(&name(&format!("{part}.bias")))?,
        })
    };
    let (query, key, value) = (
        projection("attn_q")?,
        projection("attn_k")?,
        projection("attn_v")?,
    );
    let cache = || {
        Tensor::zeros(
            (config.kv_heads, capacity, config.head_dim),
            DType::F32,
            weights.device,
        )
        .map_err(|e| load(weights.path, e.to_string()))
    };
    let (keys, values) = (cache()?, cache()?);
    Ok(Layer {
        attention_norm: weights.dense(&name("attn_norm.weight"))?,
        query,
        key,
        value,
        query_norm: weights.dense_if_any(&name("attn_q_norm.weight"))?,
        key_norm: weights.dense_if_any(&name("attn_k_norm.weight"))?,
        attention_out: weights.matmul(&name("attn_output.weight"))?,
        mlp_norm: weights.dense(&name("ffn_norm.weight"))?,
        gate: weights.matmul(&name("ffn_gate.weight"))?,
        up: weights.matmul(&name("ffn_up.weight"))?,
        down: weights.matmul(&name("ffn_down.weight"))?,
        keys,
        values,
    })
}
