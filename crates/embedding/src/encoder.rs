//! The stack that BERT, RoBERTa and XLM-RoBERTa share (Devlin et al. 2019; Liu et al. 2019;
//! Conneau et al. 2020): embeddings of pieces, positions and segments, then attention layers.
//! The families differ only in how they number positions.

use candle_core::{DType, Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Module, VarBuilder, embedding, layer_norm};

use crate::{config::Config, layers::Layer};

/// The pieces of several texts, padded to equal length.
pub(crate) struct Batch {
    ids: Tensor,
    segments: Tensor,
    /// 1 for a piece, 0 for padding.
    mask: Tensor,
}

impl Batch {
    /// Creates a batch of one row per text: the ids and the segments of its pieces. Missing
    /// segments are 0.
    pub(crate) fn new(rows: &[(&[u32], &[u32])], encoder: &Encoder) -> Result<Self> {
        let (pad, device) = (encoder.pad, encoder.pieces.embeddings().device());
        let width = rows.iter().map(|(ids, _)| ids.len()).max().unwrap_or(0);
        let tensor = |value: &dyn Fn(usize, usize) -> u32| {
            let flat: Vec<u32> =
                (0..rows.len() * width).map(|cell| value(cell / width, cell % width)).collect();
            Tensor::from_vec(flat, (rows.len(), width), device)
        };
        Ok(Self {
            ids: tensor(&|row, i| rows[row].0.get(i).copied().unwrap_or(pad))?,
            segments: tensor(&|row, i| rows[row].1.get(i).copied().unwrap_or(0))?,
            mask: tensor(&|row, i| u32::from(i < rows[row].0.len()))?.to_dtype(DType::F32)?,
        })
    }

    /// The mean of `hidden` over the pieces of each text, without the padding.
    pub(crate) fn mean(&self, hidden: &Tensor) -> Result<Tensor> {
        let mask = self.mask.unsqueeze(2)?;
        let sums = hidden.broadcast_mul(&mask)?.sum(1)?;
        sums.broadcast_div(&mask.sum(1)?)
    }
}

pub(crate) struct Encoder {
    pieces: Embedding,
    positions: Embedding,
    segments: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    first_position: u32,
    has_segments: bool,
    /// Id of the padding.
    pad: u32,
}

impl Encoder {
    pub(crate) fn load(weights: &VarBuilder, config: &Config) -> Result<Self> {
        let width = config.hidden_size;
        let vb = weights.pp("embeddings");
        let table = |rows, name| embedding(rows, width, vb.pp(name));
        Ok(Self {
            pieces: table(config.vocab_size, "word_embeddings")?,
            positions: table(config.max_position_embeddings, "position_embeddings")?,
            segments: table(config.type_vocab_size, "token_type_embeddings")?,
            norm: layer_norm(width, config.layer_norm_eps, vb.pp("LayerNorm"))?,
            layers: (0..config.num_hidden_layers)
                .map(|i| Layer::load(&weights.pp(format!("encoder.layer.{i}")), config))
                .collect::<Result<_>>()?,
            first_position: config.first_position(),
            has_segments: config.type_vocab_size > 1,
            pad: config.pad_token_id,
        })
    }

    /// The vectors after the last layer: texts × pieces × width.
    pub(crate) fn forward(&self, batch: &Batch) -> Result<Tensor> {
        let (texts, width) = batch.ids.dims2()?;
        let first = self.first_position;
        let positions = Tensor::arange(first, first + width as u32, batch.ids.device())?;
        let segments =
            if self.has_segments { batch.segments.clone() } else { batch.segments.zeros_like()? };
        let sum = (self.pieces.forward(&batch.ids)? + self.segments.forward(&segments)?)?
            .broadcast_add(&self.positions.forward(&positions)?)?;
        // Added to the attention scores: 0 for a piece, the lowest number for padding.
        let mask = ((1.0 - &batch.mask)? * f64::from(f32::MIN))?;
        let mask = mask.reshape((texts, 1, 1, width))?;
        let mut hidden = self.norm.forward(&sum)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &mask)?;
        }
        Ok(hidden)
    }
}
