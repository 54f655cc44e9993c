//! Reranking by late interaction over the token vectors of the embedder.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use fiel_embedding::{Embedder, dot};
use fiel_store::sha256_hex;
use half::{f16, slice::HalfFloatSliceExt};

use crate::Error;

/// Capacity of the cache in bytes: about 5,000 passages of 250 word pieces.
const CAPACITY: usize = 1 << 30;

/// The late-interaction reranker: each word piece of the question is matched with the most similar
/// piece of the passage, and the cosines are averaged (MaxSim; Khattab and Zaharia, ColBERT, 2020).
/// The vectors are those of the sentence encoder before pooling.
///
/// The token vectors of passages are cached in memory in half precision. They are used in half
/// precision even when they were just computed, so that a score does not depend on earlier
/// questions.
#[derive(Default)]
pub struct LateInteraction {
    cache: Mutex<TokenCache>,
}

#[derive(Default)]
struct TokenCache {
    by_text: BTreeMap<String, Arc<Vec<f16>>>,
    bytes: usize,
}

impl LateInteraction {
    /// The score of each passage for a question; higher is better. A blank passage scores 0.
    ///
    /// # Errors
    /// [`Error::Embedding`] if a text cannot be encoded.
    pub fn scores(
        &self,
        embedder: &Embedder,
        question: &str,
        passages: &[&str],
    ) -> Result<Vec<f64>, Error> {
        let question = embedder.tokens(question)?;
        let query: Vec<&[f32]> = question.text_pieces().map(|(_, row)| row).collect();
        let dim = question.vectors().dim().max(1);
        let mut buffer = Vec::new();
        let mut score = |passage: &&str| -> Result<f64, Error> {
            if passage.trim().is_empty() {
                return Ok(0.0);
            }
            let half = self.vectors(embedder, passage)?;
            buffer.resize(half.len(), 0.0f32);
            half.convert_to_f32_slice(&mut buffer);
            Ok(max_sim(&query, &buffer, dim))
        };
        passages.iter().map(&mut score).collect()
    }

    fn vectors(&self, embedder: &Embedder, text: &str) -> Result<Arc<Vec<f16>>, Error> {
        let key = sha256_hex(format!("{}\n{text}", embedder.key()).as_bytes());
        let cached = self.cache.lock().ok().and_then(|cache| cache.by_text.get(&key).cloned());
        if let Some(vectors) = cached {
            return Ok(vectors);
        }
        let vectors: Vec<f16> = embedder
            .tokens(text)?
            .text_pieces()
            .flat_map(|(_, row)| row.iter().map(|x| f16::from_f32(*x)))
            .collect();
        let vectors = Arc::new(vectors);
        if let Ok(mut cache) = self.cache.lock()
            && cache.bytes + vectors.len() * 2 <= CAPACITY
        {
            cache.bytes += vectors.len() * 2;
            cache.by_text.insert(key, Arc::clone(&vectors));
        }
        Ok(vectors)
    }
}

/// The mean over the rows of `query` of the largest dot product with a row of `passage`; 0 if
/// either is empty.
fn max_sim(query: &[&[f32]], passage: &[f32], dim: usize) -> f64 {
    if query.is_empty() || passage.is_empty() {
        return 0.0;
    }
    let best = |row: &&[f32]| {
        let cosines = passage.chunks_exact(dim).map(|other| dot(row, other));
        f64::from(cosines.fold(f32::NEG_INFINITY, f32::max))
    };
    query.iter().map(best).sum::<f64>() / query.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_meets_its_nearest() {
        let query: [&[f32]; 2] = [&[1.0, 0.0], &[0.0, 1.0]];
        let passage = [0.6, 0.8, 1.0, 0.0];
        assert!((max_sim(&query, &passage, 2) - 0.9).abs() < 1e-6);
        assert_eq!(max_sim(&query, &[], 2), 0.0);
        assert_eq!(max_sim(&[], &passage, 2), 0.0);
    }
}
