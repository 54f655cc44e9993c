use candle_core::{DType, Device, Tensor};
use candle_transformers::models::bert::{BertModel, Config};
use fiel_corpus::sha256_hex;
use fiel_models::{DeviceClass, ModelFiles, load_safetensors, load_tokenizer};
use tokenizers::Tokenizer;

use crate::{Error, Vectors};

/// Word pieces the model reads of a text, its two markers included; the rest is cut.
pub const MAX_PIECES: usize = 256;

/// Padded word pieces in one pass of the model; texts of one batch have similar lengths.
const BATCH_PIECES: usize = 1024;

/// A BERT-type sentence encoder: mean of the last layer over the attended pieces, unit length
/// (Reimers and Gurevych, Sentence-BERT, 2019).
pub struct Embedder {
    model: BertModel,
    tokenizer: Tokenizer,
    device: Device,
    dim: usize,
    key: String,
}

impl Embedder {
    /// Loads `model.safetensors`, `config.json` and `tokenizer.json`.
    ///
    /// # Errors
    /// When a file is missing or they do not fit each other.
    pub fn load(files: &ModelFiles, device: &Device, class: DeviceClass) -> Result<Self, Error> {
        let bad = |message: String| Error::Model {
            model: files.id().to_owned(),
            message,
        };
        let config = std::fs::read_to_string(files.path("config.json")?)
            .map_err(|e| bad(format!("config.json: {e}")))?;
        let config: Config =
            serde_json::from_str(&config).map_err(|e| bad(format!("config.json: {e}")))?;
        // The file carries padding to 128 and truncation at 128; the model reads twice as much.
        let mut tokenizer = load_tokenizer(files)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|e| bad(format!("tokenizer.json: {e}")))?;
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let model = BertModel::load(weights, &config).map_err(|e| bad(e.to_string()))?;
        let key = format!("{} mean l2 {MAX_PIECES} {class}", files.digest());
        Ok(Self {
            model,
            tokenizer,
            device: device.clone(),
            dim: config.hidden_size,
            key: sha256_hex(key.as_bytes()),
        })
    }

    /// Names everything that a vector depends on besides its text: model files, pooling,
    /// maximum length and class of device.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Width of a vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Word pieces of a text, without the two markers.
    pub fn pieces(&self, text: &str) -> usize {
        self.tokenizer
            .encode_fast(text, false)
            .map_or(0, |e| e.len())
    }

    /// Whether the model reads only the beginning of a text.
    pub fn is_cut(&self, text: &str) -> bool {
        self.pieces(text) + 2 > MAX_PIECES
    }

    /// Unit vectors of the texts, in their order. `progress` is told how many are done.
    ///
    /// # Errors
    /// [`Error::Blank`] when a text has no word, [`Error::NotFinite`] when a vector is none.
    pub fn embed(&self, texts: &[&str], progress: &mut dyn FnMut(usize)) -> Result<Vectors, Error> {
        let blank: Vec<usize> = (0..texts.len())
            .filter(|&i| texts[i].trim().is_empty())
            .collect();
        if let Some(&first) = blank.first() {
            return Err(Error::Blank {
                count: blank.len(),
                total: texts.len(),
                first,
            });
        }
        let mut ids = Vec::with_capacity(texts.len());
        for text in texts {
            let encoding = self.tokenizer.encode_fast(*text, true);
            ids.push(cut(encoding
                .map_err(|e| candle_core::Error::Msg(e.to_string()))?
                .get_ids()));
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&i| (ids[i].len(), i));
        let mut rows: Vec<Vec<f32>> = vec![Vec::new(); ids.len()];
        let mut rest = order.as_slice();
        let mut done = 0;
        while !rest.is_empty() {
            // Ascending lengths: the last text of a batch is its longest.
            let mut count = 1;
            while count < rest.len() && (count + 1) * ids[rest[count]].len() <= BATCH_PIECES {
                count += 1;
            }
            let (batch, more) = rest.split_at(count);
            let batch_ids: Vec<&[u32]> = batch.iter().map(|&i| ids[i].as_slice()).collect();
            for (&index, row) in batch.iter().zip(self.batch(&batch_ids)?) {
                rows[index] = unit(row).ok_or(Error::NotFinite(index))?;
            }
            done += count;
            progress(done);
            rest = more;
        }
        let mut vectors = Vectors::new(self.dim);
        rows.iter().for_each(|row| vectors.push(row));
        Ok(vectors)
    }

    /// Means over the attended pieces of each text.
    fn batch(&self, ids: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let width = ids.iter().map(|ids| ids.len()).max().unwrap_or(0);
        let padded = |fill: &dyn Fn(&[u32], usize) -> u32| -> Result<Tensor, candle_core::Error> {
            let flat: Vec<u32> = ids
                .iter()
                .flat_map(|ids| (0..width).map(|at| fill(ids, at)))
                .collect();
            Tensor::from_vec(flat, (ids.len(), width), &self.device)
        };
        let input = padded(&|ids, at| ids.get(at).copied().unwrap_or(0))?;
        let mask = padded(&|ids, at| u32::from(at < ids.len()))?;
        let hidden = self
            .model
            .forward(&input, &input.zeros_like()?, Some(&mask))?;
        let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
        let sums = hidden.broadcast_mul(&mask)?.sum(1)?;
        Ok(sums.broadcast_div(&mask.sum(1)?)?.to_vec2()?)
    }
}

/// Keeps the first marker, as many pieces as fit, and the last marker.
fn cut(ids: &[u32]) -> Vec<u32> {
    if ids.len() <= MAX_PIECES {
        return ids.to_vec();
    }
    let mut kept = ids[..MAX_PIECES - 1].to_vec();
    kept.extend(ids.last());
    kept
}

fn unit(mut row: Vec<f32>) -> Option<Vec<f32>> {
    let norm = row
        .iter()
        .map(|x| f64::from(*x).powi(2))
        .sum::<f64>()
        .sqrt();
    if !norm.is_finite() || norm == 0.0 {
        return None;
    }
    row.iter_mut()
        .for_each(|x| *x = (f64::from(*x) / norm) as f32);
    Some(row)
}
