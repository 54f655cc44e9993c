use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use fiel_corpus::sha256_hex;
use fiel_embedding::{Embedder, dot};
use half::{f16, slice::HalfFloatSliceExt};

use crate::{Error, Reranker};

/// Bytes of token vectors that are kept: about 5,000 passages of 250 pieces.
const KEPT_BYTES: usize = 1 << 30;

/// Token vectors of passages, for those who rerank the same passages again and again. Values are
/// kept in half precision, and used in it even when they were just made, so that a score does not
/// depend on what was asked before.
#[derive(Default)]
pub struct TokenCache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_text: BTreeMap<String, Arc<Vec<f16>>>,
    bytes: usize,
}

impl TokenCache {
    fn vectors(&self, embedder: &Embedder, text: &str) -> Result<Arc<Vec<f16>>, Error> {
        let key = sha256_hex(format!("{}\n{text}", embedder.key()).as_bytes());
        let known = |kept: &Kept| kept.by_text.get(&key).cloned();
        if let Some(found) = self.kept.lock().ok().and_then(|kept| known(&kept)) {
            return Ok(found);
        }
        let made: Vec<f16> = embedder
            .tokens(text)?
            .of_text()
            .flat_map(|(_, row)| row.iter().map(|x| f16::from_f32(*x)))
            .collect();
        let made = Arc::new(made);
        if let Ok(mut kept) = self.kept.lock()
            && kept.bytes + made.len() * 2 <= KEPT_BYTES
        {
            kept.bytes += made.len() * 2;
            kept.by_text.insert(key, Arc::clone(&made));
        }
        Ok(made)
    }
}

/// Late interaction: each piece of the question meets its nearest piece of the passage, and the
/// cosines are averaged (MaxSim; Khattab and Zaharia, ColBERT, 2020), over the vectors that the
/// sentence encoder makes anyway.
pub struct Late<'a> {
    /// What embeds.
    pub embedder: &'a Embedder,
    /// Vectors of passages made before.
    pub cache: &'a TokenCache,
}

impl Reranker for Late<'_> {
    fn scores(&mut self, question: &str, passages: &[&str]) -> Result<Vec<f64>, Error> {
        let question = self.embedder.tokens(question)?;
        let asked: Vec<&[f32]> = question.of_text().map(|(_, row)| row).collect();
        let dim = question.vectors().dim().max(1);
        let mut room = Vec::new();
        let mut score = |passage: &&str| -> Result<f64, Error> {
            if passage.trim().is_empty() {
                return Ok(0.0);
            }
            let half = self.cache.vectors(self.embedder, passage)?;
            room.resize(half.len(), 0.0f32);
            half.convert_to_f32_slice(&mut room);
            Ok(max_sim(&asked, &room, dim))
        };
        passages.iter().map(&mut score).collect()
    }
}

/// Mean over the rows of `asked` of the largest dot product with a row of `passage`; 0 without
/// either.
fn max_sim(asked: &[&[f32]], passage: &[f32], dim: usize) -> f64 {
    if asked.is_empty() || passage.is_empty() {
        return 0.0;
    }
    let nearest = |row: &&[f32]| {
        let cosines = passage.chunks_exact(dim).map(|other| dot(row, other));
        f64::from(cosines.fold(f32::NEG_INFINITY, f32::max))
    };
    asked.iter().map(nearest).sum::<f64>() / asked.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_meets_its_nearest() {
        let asked: [&[f32]; 2] = [&[1.0, 0.0], &[0.0, 1.0]];
        let passage = [0.6, 0.8, 1.0, 0.0];
        assert!((max_sim(&asked, &passage, 2) - 0.9).abs() < 1e-6);
        assert_eq!(max_sim(&asked, &[], 2), 0.0);
        assert_eq!(max_sim(&[], &passage, 2), 0.0);
    }
}
