//! Text to unit vectors by a sentence encoder.

use candle_core::{DType, Device};
use fiel_models::{DeviceClass, ModelFiles, load_safetensors};
use fiel_store::sha256_hex;
use tokenizers::{Encoding, Tokenizer};

use crate::{
    Error, Vectors,
    config::{Config, invalid},
    encoder::{Batch, Encoder},
    pooling::{self, Pooling},
};

/// A sentence encoder of the BERT, RoBERTa or XLM-RoBERTa type. A text's vector is the last
/// layer, averaged over all pieces or taken at the first marker, at unit length (Reimers and
/// Gurevych, Sentence-BERT, 2019).
pub struct Embedder {
    encoder: Encoder,
    tokenizer: Tokenizer,
    dim: usize,
    pooling: Pooling,
    max_length: usize,
    /// Vocabulary entry of text that the vocabulary lacks, if there is one.
    unknown: Option<u32>,
    key: String,
}

/// Characters of unknown text that count as a piece.
const UNKNOWN_CHARS: usize = 4;

/// The pieces of a text, without the markers of the tokenizer, with their vectors in context, as
/// late interaction compares them (Khattab and Zaharia, ColBERT, 2020).
#[derive(Clone, Debug, PartialEq)]
pub struct TokenVectors {
    ids: Vec<u32>,
    vectors: Vectors,
}

impl TokenVectors {
    /// A unit vector per piece.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Vocabulary id and unit vector of each piece.
    pub fn text_pieces(&self) -> impl Iterator<Item = (u32, &[f32])> {
        self.ids.iter().copied().zip(self.vectors.rows())
    }
}

impl Embedder {
    /// Loads `model.safetensors`, `config.json` and `tokenizer.json`. Pooling and maximum length
    /// come from `1_Pooling/config.json` and `sentence_bert_config.json`; without these files
    /// they are the mean and 256 pieces.
    ///
    /// # Errors
    /// If a file is missing, the files do not fit each other, or the model needs a feature that
    /// is not supported.
    pub fn load(files: &ModelFiles, device: &Device, class: DeviceClass) -> Result<Self, Error> {
        let config = Config::load(files)?;
        pooling::check_stages(files)?;
        let pooling = Pooling::load(files)?;
        let max_length = pooling::max_length(files, config.positions())?;
        // The file may ask for truncation, such as to 128 pieces.
        let tokenizer = config.load_tokenizer(files, None)?;
        let weights = load_safetensors(files, "model.safetensors", DType::F32, device)?;
        let encoder = Encoder::load(&config.family.encoder_weights(&weights), &config)
            .map_err(|e| invalid(files, format!("model.safetensors: {e}")))?;
        let key = format!("{} {pooling} l2 {max_length} {class}", files.digest());
        let unknown = ["[UNK]", "<unk>"].iter().find_map(|entry| tokenizer.token_to_id(entry));
        Ok(Self {
            encoder,
            tokenizer,
            unknown,
            dim: config.hidden_size,
            pooling,
            max_length,
            key: sha256_hex(key.as_bytes()),
        })
    }

    /// A digest of everything but the text that determines a vector: model files, pooling,
    /// maximum length and device class.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Width of a vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of word pieces of a text, without markers. A run of text that the vocabulary lacks,
    /// which the model reads as one piece, counts as a piece per four characters: otherwise a text
    /// without spaces would have no length.
    pub fn piece_count(&self, text: &str) -> usize {
        let (known, unknown) = self.counts(text);
        known + unknown
    }

    /// Whether the vocabulary lacks more than half of a text, so that its vector says little.
    pub fn is_unknown(&self, text: &str) -> bool {
        let (known, unknown) = self.counts(text);
        unknown > known
    }

    /// Number of pieces that the vocabulary has and lacks.
    fn counts(&self, text: &str) -> (usize, usize) {
        let is_unknown = |id: &u32| Some(*id) == self.unknown;
        let Ok(fast) = self.tokenizer.encode_fast(text, false) else { return (0, 0) };
        let known = fast.get_ids().iter().filter(|id| !is_unknown(id)).count();
        if known == fast.len() {
            return (known, 0);
        }
        let Ok(encoding) = self.tokenizer.encode_char_offsets(text, false) else { return (0, 0) };
        let pieces = encoding.get_ids().iter().zip(encoding.get_offsets());
        let lengths = pieces.filter(|(id, _)| is_unknown(id)).map(|(_, (from, to))| to - from);
        (known, lengths.map(|chars| chars.div_ceil(UNKNOWN_CHARS).max(1)).sum())
    }

    /// Returns the text of a vocabulary entry without the prefix that marks the start or the
    /// continuation of a word, or `None` for an unknown id.
    pub fn piece(&self, id: u32) -> Option<String> {
        let piece = self.tokenizer.id_to_token(id)?;
        Some(piece.trim_start_matches("##").trim_start_matches(['\u{120}', '\u{2581}']).to_owned())
    }

    /// Whether a text exceeds the maximum length, so that its end is ignored.
    pub fn is_cut(&self, text: &str) -> bool {
        self.tokenizer.encode_fast(text, true).is_ok_and(|e| e.len() > self.max_length)
    }

    /// Returns the unit vectors of the texts, in their order. Calls `progress` with the number of
    /// texts embedded so far. The model reads each text alone, so no bit of a vector depends on the
    /// other texts.
    ///
    /// # Errors
    /// [`Error::Blank`] if a text has no word; [`Error::NotFinite`] if a vector has no direction.
    pub fn embed(&self, texts: &[&str], progress: &mut dyn FnMut(usize)) -> Result<Vectors, Error> {
        check_blank(texts)?;
        let mut vectors = Vectors::new(self.dim);
        for (index, text) in texts.iter().enumerate() {
            let (ids, _) = self.encode(text)?;
            let batch = Batch::new(&[(ids.as_slice(), [].as_slice())], &self.encoder)?;
            let hidden = self.encoder.forward(&batch)?;
            let pooled = match self.pooling {
                Pooling::Mean => batch.mean(&hidden)?,
                Pooling::Cls => hidden.narrow(1, 0, 1)?.squeeze(1)?,
            };
            let row = pooled.get(0)?.to_vec1()?;
            vectors.push(&unit(row).ok_or(Error::NotFinite(index))?);
            progress(index + 1);
        }
        Ok(vectors)
    }

    /// Returns the last layer's vector of every piece of a text except the markers, at unit length.
    /// The model reads the text alone, so no bit depends on other texts.
    ///
    /// # Errors
    /// The same as [`embed`](Self::embed).
    pub fn tokens(&self, text: &str) -> Result<TokenVectors, Error> {
        check_blank(&[text])?;
        let (ids, markers) = self.encode(text)?;
        let batch = Batch::new(&[(ids.as_slice(), [].as_slice())], &self.encoder)?;
        let rows: Vec<Vec<f32>> = self.encoder.forward(&batch)?.get(0)?.to_vec2()?;
        let mut tokens = TokenVectors { ids: Vec::new(), vectors: Vectors::new(self.dim) };
        for ((id, row), is_marker) in ids.into_iter().zip(rows).zip(markers) {
            if !is_marker {
                tokens.ids.push(id);
                tokens.vectors.push(&unit(row).ok_or(Error::NotFinite(0))?);
            }
        }
        Ok(tokens)
    }

    /// Ids of a text's pieces up to the maximum length, and whether each is a marker.
    fn encode(&self, text: &str) -> Result<(Vec<u32>, Vec<bool>), Error> {
        let encoding = self.tokenizer.encode_fast(text, true);
        let encoding = encoding.map_err(|e| Error::Tokenizer(e.to_string()))?;
        Ok(truncate(&encoding, self.max_length))
    }
}

/// Cuts an encoding before the markers at its end.
fn truncate(encoding: &Encoding, max_length: usize) -> (Vec<u32>, Vec<bool>) {
    let mut ids = encoding.get_ids().to_vec();
    let mask = encoding.get_special_tokens_mask();
    let mut markers: Vec<bool> = mask.iter().map(|flag| *flag == 1).collect();
    if ids.len() > max_length {
        let last = markers.iter().rev().take_while(|marker| **marker).count();
        let gap = max_length.saturating_sub(last)..ids.len() - last;
        ids.drain(gap.clone());
        markers.drain(gap);
    }
    (ids, markers)
}

fn check_blank(texts: &[&str]) -> Result<(), Error> {
    let is_blank = |text: &&str| text.trim().is_empty();
    let Some(first) = texts.iter().position(is_blank) else { return Ok(()) };
    let count = texts.iter().copied().filter(is_blank).count();
    Err(Error::Blank { count, total: texts.len(), first })
}

/// Scales a vector to unit length. Returns `None` if it has no direction.
fn unit(mut row: Vec<f32>) -> Option<Vec<f32>> {
    let norm = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    if !norm.is_finite() || norm == 0.0 {
        return None;
    }
    row.iter_mut().for_each(|x| *x = (f64::from(*x) / norm) as f32);
    Some(row)
}
