use candle_core::{DType, Device};
use fiel_corpus::sha256_hex;
use fiel_models::{DeviceClass, ModelFiles, load_safetensors, load_tokenizer};
use tokenizers::{Encoding, Tokenizer};

use crate::{
    Error, TokenVectors, Vectors,
    batches::batches,
    encoder::{Batch, Encoder},
    family,
    pooling::{self, Pooling},
};

/// A sentence encoder of the BERT, RoBERTa or XLM-RoBERTa type: the last layer, averaged over
/// the attended pieces or taken at the first marker, at unit length (Reimers and Gurevych,
/// Sentence-BERT, 2019).
pub struct Embedder {
    encoder: Encoder,
    tokenizer: Tokenizer,
    device: Device,
    pad: u32,
    dim: usize,
    pooling: Pooling,
    max_pieces: usize,
    key: String,
}

impl Embedder {
    /// Loads `model.safetensors`, `config.json` and `tokenizer.json`. Pooling and length come
    /// from `1_Pooling/config.json` and `sentence_bert_config.json` where the model has them;
    /// else they are the mean and 256 pieces.
    ///
    /// # Errors
    /// When a file is missing, or asks for what is not done here, or they do not fit each other.
    pub fn load(files: &ModelFiles, device: &Device, class: DeviceClass) -> Result<Self, Error> {
        let bad = |message: String| Error::Model {
            model: files.id().to_owned(),
            message,
        };
        let (config, family) = family::config(files)?;
        pooling::check_stages(files)?;
        let pooling = Pooling::of(files)?;
        let max_pieces = pooling::length(files, family::positions(&config, family))?;
        // The file may carry padding and truncation of its own, such as to 128 pieces.
        let mut tokenizer = load_tokenizer(files)?;
        family::check_vocabulary(files, &tokenizer, &config)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|e| bad(format!("tokenizer.json: {e}")))?;
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let encoder = Encoder::load(&family.encoder_of(&weights), &config, family)
            .map_err(|e| bad(format!("model.safetensors: {e}")))?;
        let key = format!("{} {pooling} l2 {max_pieces} {class}", files.digest());
        Ok(Self {
            encoder,
            tokenizer,
            device: device.clone(),
            pad: config.pad_token_id as u32,
            dim: config.hidden_size,
            pooling,
            max_pieces,
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

    /// Pieces the model reads of a text, its markers included; the rest is cut.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Word pieces of a text, without the markers.
    pub fn pieces(&self, text: &str) -> usize {
        self.tokenizer
            .encode_fast(text, false)
            .map_or(0, |e| e.len())
    }

    /// A piece of the vocabulary as it is written, without the sign that it goes on or begins a
    /// word; none for an unknown id.
    pub fn piece(&self, id: u32) -> Option<String> {
        let piece = self.tokenizer.id_to_token(id)?;
        Some(
            piece
                .trim_start_matches("##")
                .trim_start_matches(['\u{120}', '\u{2581}'])
                .to_owned(),
        )
    }

    /// Whether the model reads only the beginning of a text.
    pub fn is_cut(&self, text: &str) -> bool {
        self.tokenizer
            .encode_fast(text, true)
            .is_ok_and(|e| e.len() > self.max_pieces)
    }

    /// Unit vectors of the texts, in their order. `progress` is told how many are done.
    ///
    /// # Errors
    /// [`Error::Blank`] when a text has no word, [`Error::NotFinite`] when a vector is none.
    pub fn embed(&self, texts: &[&str], progress: &mut dyn FnMut(usize)) -> Result<Vectors, Error> {
        refuse_blank(texts)?;
        let ids: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| Ok(self.encode(text)?.0))
            .collect::<Result<_, Error>>()?;
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let mut rows: Vec<Vec<f32>> = vec![Vec::new(); ids.len()];
        let mut done = 0;
        for batch in batches(&lengths) {
            let batch_ids: Vec<&[u32]> = batch.iter().map(|&i| ids[i].as_slice()).collect();
            for (&index, row) in batch.iter().zip(self.batch(&batch_ids)?) {
                rows[index] = unit(row).ok_or(Error::NotFinite(index))?;
            }
            done += batch.len();
            progress(done);
        }
        let mut vectors = Vectors::new(self.dim);
        rows.iter().for_each(|row| vectors.push(row));
        Ok(vectors)
    }

    /// The last layer's vector of every piece of one text, at unit length. The text goes
    /// through the model alone, so no bit depends on other texts.
    ///
    /// # Errors
    /// As [`embed`](Self::embed).
    pub fn tokens(&self, text: &str) -> Result<TokenVectors, Error> {
        refuse_blank(&[text])?;
        let (ids, markers) = self.encode(text)?;
        let batch = self.padded(&[&ids])?;
        let rows: Vec<Vec<f32>> = self.encoder.forward(&batch)?.get(0)?.to_vec2()?;
        let mut vectors = Vectors::new(self.dim);
        for row in rows {
            vectors.push(&unit(row).ok_or(Error::NotFinite(0))?);
        }
        Ok(TokenVectors {
            ids,
            markers,
            vectors,
        })
    }

    /// One vector for each text, not yet of unit length.
    fn batch(&self, ids: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let batch = self.padded(ids)?;
        let hidden = self.encoder.forward(&batch)?;
        let pooled = match self.pooling {
            Pooling::Mean => batch.mean(&hidden)?,
            Pooling::Cls => hidden.narrow(1, 0, 1)?.squeeze(1)?,
        };
        Ok(pooled.to_vec2()?)
    }

    fn padded(&self, ids: &[&[u32]]) -> Result<Batch, Error> {
        let rows: Vec<(&[u32], &[u32])> = ids.iter().map(|ids| (*ids, [].as_slice())).collect();
        Ok(Batch::new(&rows, self.pad, &self.device)?)
    }

    /// Ids of a text's pieces, as many as the model reads, and which of them are markers.
    fn encode(&self, text: &str) -> Result<(Vec<u32>, Vec<bool>), Error> {
        let encoding = self.tokenizer.encode_fast(text, true);
        let encoding = encoding.map_err(|e| Error::Tokenizer(e.to_string()))?;
        Ok(cut(&encoding, self.max_pieces))
    }
}

/// Keeps the beginning and the markers at the end.
fn cut(encoding: &Encoding, most: usize) -> (Vec<u32>, Vec<bool>) {
    let is_marker = |flag: &u32| *flag == 1;
    let mut ids = encoding.get_ids().to_vec();
    let mut markers: Vec<bool> = encoding
        .get_special_tokens_mask()
        .iter()
        .map(is_marker)
        .collect();
    if ids.len() > most {
        let last = markers.iter().rev().take_while(|marker| **marker).count();
        let gap = most.saturating_sub(last)..ids.len() - last;
        ids.drain(gap.clone());
        markers.drain(gap);
    }
    (ids, markers)
}

fn refuse_blank(texts: &[&str]) -> Result<(), Error> {
    let is_blank = |text: &&str| text.trim().is_empty();
    match texts.iter().position(is_blank) {
        Some(first) => Err(Error::Blank {
            count: texts.iter().copied().filter(is_blank).count(),
            total: texts.len(),
            first,
        }),
        None => Ok(()),
    }
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
