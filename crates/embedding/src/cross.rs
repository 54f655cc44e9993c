//! Scores of question and passage pairs by a cross-encoder.

use candle_core::{DType, Device, Tensor};
use candle_nn::{Linear, Module, VarBuilder};
use fiel_models::{DeviceClass, ModelFiles, load_safetensors, load_tokenizer};
use fiel_store::sha256_hex;
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};

use crate::{
    Error,
    batches::batches,
    config::{Config, Family, invalid},
    encoder::{Batch, Encoder},
};

/// Maximum number of markers that a tokenizer adds to a pair.
const MARKERS: usize = 4;

/// A sequence classifier with one output. It reads a question and a passage together and scores
/// how relevant the passage is (Nogueira and Cho, Passage re-ranking with BERT, 2019).
pub struct CrossEncoder {
    encoder: Encoder,
    head: Head,
    tokenizer: Tokenizer,
    device: Device,
    pad: u32,
    key: String,
}

impl CrossEncoder {
    /// Loads `model.safetensors`, `config.json` and `tokenizer.json`. A pair is cut to the
    /// positions of the model, the longer of the two texts first.
    ///
    /// # Errors
    /// If a file is missing, the files do not fit each other, or the classifier does not have
    /// exactly one output.
    pub fn load(files: &ModelFiles, device: &Device, class: DeviceClass) -> Result<Self, Error> {
        let invalid = |message: String| invalid(files, message);
        let config = Config::load(files)?;
        let max_length = config.positions();
        if max_length < MARKERS + 2 {
            return Err(invalid(format!(
                "config.json: a maximum length of {max_length} pieces is too short for a pair"
            )));
        }
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let tensors = |e: candle_core::Error| invalid(format!("model.safetensors: {e}"));
        let head = Head::load(&weights, &config).map_err(|e| match e {
            HeadError::Outputs(outputs) => invalid(format!(
                "model.safetensors: the classifier has {outputs} outputs (num_labels), expected 1"
            )),
            HeadError::Missing => invalid(
                "model.safetensors: no classifier found; is this a sentence encoder?".to_owned(),
            ),
            HeadError::Tensor(e) => tensors(e),
        })?;
        let prefixed = weights.pp(config.family.prefix());
        let encoder = Encoder::load(&prefixed, &config).map_err(tensors)?;
        let mut tokenizer = load_tokenizer(files)?;
        config.check_vocabulary(files, &tokenizer)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length,
                strategy: TruncationStrategy::LongestFirst,
                ..TruncationParams::default()
            }))
            .map_err(|e| invalid(format!("tokenizer.json: {e}")))?;
        let key = format!("{} pair {max_length} {class}", files.digest());
        Ok(Self {
            encoder,
            head,
            tokenizer,
            device: device.clone(),
            pad: config.pad_token_id,
            key: sha256_hex(key.as_bytes()),
        })
    }

    /// A digest of everything but the pair that determines a score: model files, maximum length
    /// and device class.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns a logit per passage, in their order. A larger logit means more relevant.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if a score is not finite.
    pub fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, Error> {
        let pairs: Vec<Encoding> = passages
            .iter()
            .map(|passage| self.tokenizer.encode_fast((question, *passage), true))
            .collect::<Result<_, _>>()
            .map_err(|e| Error::Tokenizer(e.to_string()))?;
        let lengths: Vec<usize> = pairs.iter().map(Encoding::len).collect();
        let mut scores = vec![0.0; pairs.len()];
        for batch in batches(&lengths) {
            let rows: Vec<(&[u32], &[u32])> =
                batch.iter().map(|&i| (pairs[i].get_ids(), pairs[i].get_type_ids())).collect();
            let padded = Batch::new(&rows, self.pad, &self.device)?;
            let hidden = self.encoder.forward(&padded)?;
            let logits: Vec<f32> = self.head.forward(&hidden)?.to_vec1()?;
            for (&index, logit) in batch.iter().zip(logits) {
                if !logit.is_finite() {
                    return Err(Error::NotFinite(index));
                }
                scores[index] = logit;
            }
        }
        Ok(scores)
    }
}

/// A dense layer over the first marker, a hyperbolic tangent, and the output.
struct Head {
    dense: Linear,
    output: Linear,
}

enum HeadError {
    /// The classifier has this number of outputs instead of 1.
    Outputs(usize),
    Missing,
    Tensor(candle_core::Error),
}

impl From<candle_core::Error> for HeadError {
    fn from(error: candle_core::Error) -> Self {
        Self::Tensor(error)
    }
}

impl Head {
    fn load(weights: &VarBuilder, config: &Config) -> Result<Self, HeadError> {
        let (dense, output) = match config.family {
            Family::Bert => ("bert.pooler.dense", "classifier"),
            Family::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let name = format!("{output}.weight");
        if !weights.contains_tensor(&name) {
            return Err(HeadError::Missing);
        }
        let outputs = weights.get_unchecked(&name)?.dim(0)?;
        if outputs != 1 {
            return Err(HeadError::Outputs(outputs));
        }
        let width = config.hidden_size;
        Ok(Self {
            dense: candle_nn::linear(width, width, weights.pp(dense))?,
            output: candle_nn::linear(width, 1, weights.pp(output))?,
        })
    }

    /// One logit per pair.
    fn forward(&self, hidden: &Tensor) -> candle_core::Result<Tensor> {
        let first = hidden.narrow(1, 0, 1)?.squeeze(1)?;
        let pooled = self.dense.forward(&first)?.tanh()?;
        self.output.forward(&pooled)?.squeeze(1)
    }
}
