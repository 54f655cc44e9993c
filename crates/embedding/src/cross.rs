use candle_core::{DType, Device, Tensor};
use candle_nn::{Linear, Module, VarBuilder};
use fiel_corpus::sha256_hex;
use fiel_models::{DeviceClass, ModelFiles, load_safetensors, load_tokenizer};
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};

use crate::{
    Error,
    batches::batches,
    encoder::{Batch, Encoder},
    family::{self, Family},
};

/// Most markers that a tokenizer puts around a pair.
const MARKERS: usize = 4;

/// A sequence classifier with one output that reads a question and a passage together and says
/// how well they fit (Nogueira and Cho, Passage re-ranking with BERT, 2019).
pub struct CrossEncoder {
    encoder: Encoder,
    head: Head,
    tokenizer: Tokenizer,
    device: Device,
    pad: u32,
    max_pieces: usize,
    key: String,
}

impl CrossEncoder {
    /// Loads `model.safetensors`, `config.json` and `tokenizer.json`.
    ///
    /// # Errors
    /// When a file is missing, the files do not fit each other, or the classifier has another
    /// number of outputs than one.
    pub fn load(files: &ModelFiles, device: &Device, class: DeviceClass) -> Result<Self, Error> {
        let bad = |message: String| Error::Model {
            model: files.id().to_owned(),
            message,
        };
        let (config, family) = family::config(files)?;
        let max_pieces = family::positions(&config, family);
        if max_pieces < MARKERS + 2 {
            return Err(bad(format!(
                "config.json: a maximum length of {max_pieces} pieces is too short for a pair"
            )));
        }
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let prefixed = weights.pp(family.prefix());
        let tensors = |e: candle_core::Error| bad(format!("model.safetensors: {e}"));
        let head = Head::load(&weights, config.hidden_size, family).map_err(|e| match e {
            HeadError::Outputs(outputs) => bad(format!(
                "its classifier has {outputs} outputs (num_labels); a cross-encoder has 1"
            )),
            HeadError::None => bad(
                "model.safetensors: there is no classifier; is this a sentence encoder?".to_owned(),
            ),
            HeadError::Tensor(e) => tensors(e),
        })?;
        let encoder = Encoder::load(&prefixed, &config, family).map_err(tensors)?;
        let mut tokenizer = load_tokenizer(files)?;
        family::check_vocabulary(files, &tokenizer, &config)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length: max_pieces,
                strategy: TruncationStrategy::LongestFirst,
                ..TruncationParams::default()
            }))
            .map_err(|e| bad(format!("tokenizer.json: {e}")))?;
        let key = format!("{} pair {max_pieces} {class}", files.digest());
        Ok(Self {
            encoder,
            head,
            tokenizer,
            device: device.clone(),
            pad: config.pad_token_id as u32,
            max_pieces,
            key: sha256_hex(key.as_bytes()),
        })
    }

    /// Names everything that a score depends on besides its pair: model files, maximum length
    /// and class of device.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Pieces the model reads of a pair, its markers included. The longer of the two is cut
    /// first.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// The classifier's output, a logit of any size, for the question with each passage in
    /// order: larger is better.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a score is no number.
    pub fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, Error> {
        let pairs: Vec<Encoding> = passages
            .iter()
            .map(|passage| self.tokenizer.encode_fast((question, *passage), true))
            .collect::<Result<_, _>>()
            .map_err(|e| Error::Tokenizer(e.to_string()))?;
        let lengths: Vec<usize> = pairs.iter().map(Encoding::len).collect();
        let mut scores = vec![0.0; pairs.len()];
        for batch in batches(&lengths) {
            let rows: Vec<(&[u32], &[u32])> = batch
                .iter()
                .map(|&i| (pairs[i].get_ids(), pairs[i].get_type_ids()))
                .collect();
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

/// A dense layer over the first marker, a hyperbolic tangent, and the one output.
struct Head {
    dense: Linear,
    output: Linear,
}

enum HeadError {
    /// It has another number of outputs than one.
    Outputs(usize),
    /// There is none.
    None,
    Tensor(candle_core::Error),
}

impl From<candle_core::Error> for HeadError {
    fn from(error: candle_core::Error) -> Self {
        Self::Tensor(error)
    }
}

impl Head {
    fn load(weights: &VarBuilder, width: usize, family: Family) -> Result<Self, HeadError> {
        let (dense, output) = match family {
            Family::Bert => ("bert.pooler.dense", "classifier"),
            Family::Roberta => ("classifier.dense", "classifier.out_proj"),
        };
        let name = format!("{output}.weight");
        if !weights.contains_tensor(&name) {
            return Err(HeadError::None);
        }
        let outputs = weights.get_unchecked(&name)?.dim(0)?;
        if outputs != 1 {
            return Err(HeadError::Outputs(outputs));
        }
        Ok(Self {
            dense: candle_nn::linear(width, width, weights.pp(dense))?,
            output: candle_nn::linear(width, 1, weights.pp(output))?,
        })
    }

    /// One logit for each pair.
    fn forward(&self, hidden: &Tensor) -> candle_core::Result<Tensor> {
        let first = hidden.narrow(1, 0, 1)?.squeeze(1)?;
        let pooled = self.dense.forward(&first)?.tanh()?;
        self.output.forward(&pooled)?.squeeze(1)
    }
}
