//! Scores of question and passage pairs by a cross-encoder.

use candle_core::{DType, Device, Tensor};
use candle_nn::{Linear, Module, VarBuilder, linear};
use fiel_models::{DeviceClass, ModelFiles, load_safetensors};
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
        let config = Config::load(files)?;
        let max_length = config.positions();
        if max_length < MARKERS + 2 {
            let problem =
                format!("a maximum length of {max_length} pieces is too short for a pair");
            return Err(invalid(files, format!("config.json: {problem}")));
        }
        let truncation = TruncationParams {
            max_length,
            strategy: TruncationStrategy::LongestFirst,
            ..TruncationParams::default()
        };
        let tokenizer = config.load_tokenizer(files, Some(truncation))?;
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let head = Head::load(&weights, &config, files)?;
        let encoder = Encoder::load(&config.family.encoder_weights(&weights), &config)
            .map_err(|e| invalid(files, format!("model.safetensors: {e}")))?;
        let key = format!("{} pair {max_length} {class}", files.digest());
        Ok(Self { encoder, head, tokenizer, key: sha256_hex(key.as_bytes()) })
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
            let padded = Batch::new(&rows, &self.encoder)?;
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

impl Head {
    fn load(weights: &VarBuilder, config: &Config, files: &ModelFiles) -> Result<Self, Error> {
        let (dense, output) = match config.family {
            Family::Bert => ("bert.pooler.dense", "classifier"),
            Family::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let invalid = |problem: String| invalid(files, format!("model.safetensors: {problem}"));
        let failed = |e: candle_core::Error| invalid(e.to_string());
        let name = format!("{output}.weight");
        if !weights.contains_tensor(&name) {
            return Err(invalid("no classifier found; is this a sentence encoder?".to_owned()));
        }
        let outputs = weights.get_unchecked(&name).and_then(|tensor| tensor.dim(0));
        let outputs = outputs.map_err(failed)?;
        if outputs != 1 {
            return Err(invalid(format!(
                "the classifier has {outputs} outputs (num_labels), expected 1"
            )));
        }
        let width = config.hidden_size;
        Ok(Self {
            dense: linear(width, width, weights.pp(dense)).map_err(failed)?,
            output: linear(width, 1, weights.pp(output)).map_err(failed)?,
        })
    }

    /// One logit per pair.
    fn forward(&self, hidden: &Tensor) -> candle_core::Result<Tensor> {
        let first = hidden.narrow(1, 0, 1)?.squeeze(1)?;
        let pooled = self.dense.forward(&first)?.tanh()?;
        self.output.forward(&pooled)?.squeeze(1)
    }
}
