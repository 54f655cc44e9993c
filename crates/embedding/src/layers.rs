//! The transformer layers of BERT (Devlin et al. 2019).

use candle_core::{D, Result, Tensor};
use candle_nn::{LayerNorm, Linear, Module, VarBuilder, layer_norm, linear, ops::softmax};

use crate::config::{Activation, Config};

/// Multi-head self-attention, then a feed-forward network. A residual connection and a layer
/// norm follow each.
pub(crate) struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attention_out: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
    heads: usize,
    activation: Activation,
}

impl Layer {
    /// Loads one layer; `weights` has the prefix `encoder.layer.N`.
    pub(crate) fn load(weights: &VarBuilder, config: &Config) -> Result<Self> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let square = |name| linear(width, width, weights.pp(name));
        let norm = |name| layer_norm(width, config.layer_norm_eps, weights.pp(name));
        Ok(Self {
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            attention_out: square("attention.output.dense")?,
            attention_norm: norm("attention.output.LayerNorm")?,
            up: linear(width, inner, weights.pp("intermediate.dense"))?,
            down: linear(inner, width, weights.pp("output.dense"))?,
            norm: norm("output.LayerNorm")?,
            heads: config.num_attention_heads,
            activation: config.hidden_act,
        })
    }

    /// Maps texts × pieces × width to the same shape. `mask` is added to the attention scores.
    pub(crate) fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let attended = self.attention_out.forward(&self.attend(x, mask)?)?;
        let x = self.attention_norm.forward(&(attended + x)?)?;
        let inner = self.up.forward(&x)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::Relu => inner.relu()?,
        };
        self.norm.forward(&(self.down.forward(&inner)? + &x)?)
    }

    fn attend(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (texts, pieces, width) = x.dims3()?;
        let head_width = width / self.heads;
        // Texts × heads × pieces × head width.
        let by_head = |projection: &Linear| {
            projection
                .forward(x)?
                .reshape((texts, pieces, self.heads, head_width))?
                .transpose(1, 2)?
                .contiguous()
        };
        let (query, key) = (by_head(&self.query)?, by_head(&self.key)?);
        let value = by_head(&self.value)?;
        let scores = (query.matmul(&key.t()?)? / (head_width as f64).sqrt())?;
        let weights = softmax(&scores.broadcast_add(mask)?, D::Minus1)?;
        weights.matmul(&value)?.transpose(1, 2)?.contiguous()?.flatten_from(D::Minus2)
    }
}
