//! Late interaction of a claim with sentences, by the vectors of their word pieces (MaxSim; Khattab
//! and Zaharia, ColBERT, 2020). Unlike the reranker, which stores vectors in half precision, it uses
//! the full precision that the coefficients were fitted with.

use std::{collections::BTreeMap, sync::Arc};

use fiel_embedding::{Embedder, dot};
use fiel_metrics::BEARING_SENTENCES;
use fiel_text::Lang;

use crate::Error;

/// Maximum number of sentences that are encoded per claim. More do not change the results.
const SHORTLIST: usize = 24;
/// Capacity of the cache in sentences of about 50 kB each.
const CACHED: usize = 1024;

/// The word pieces of a text with their unit vectors.
type Encoded = Vec<(String, Vec<f32>)>;

/// MaxSim with a cache of encoded sentences, which the claims of an answer share.
#[derive(Default)]
pub(super) struct MaxSim {
    cache: BTreeMap<String, Arc<Encoded>>,
}

impl MaxSim {
    /// The mean over the word pieces of the claim of the largest cosine with a piece of the three
    /// sentences that together cover the claim best, and the mean over the quarter of the pieces with
    /// the lowest cosines. `sentences` are sorted by relevance, best first.
    pub(super) fn score(
        &mut self,
        embedder: &Embedder,
        claim: &str,
        sentences: &[&str],
        lang: Lang,
    ) -> Result<(f64, f64), Error> {
        let pieces = content(&encode(embedder, claim)?, lang);
        let mut similar = Vec::new();
        for sentence in sentences.iter().take(SHORTLIST) {
            let sentence = self.encoded(embedder, sentence)?;
            let nearest = |piece: &Vec<f32>| {
                let cosines = sentence.iter().map(|(_, other)| f64::from(dot(piece, other)));
                cosines.fold(-1.0, f64::max)
            };
            similar.push(pieces.iter().map(nearest).collect::<Vec<f64>>());
        }
        Ok(best_three(&similar, pieces.len()))
    }

    fn encoded(&mut self, embedder: &Embedder, text: &str) -> Result<Arc<Encoded>, Error> {
        if let Some(cached) = self.cache.get(text) {
            return Ok(Arc::clone(cached));
        }
        let encoded = Arc::new(encode(embedder, text)?);
        if self.cache.len() >= CACHED {
            self.cache.clear();
        }
        self.cache.insert(text.to_owned(), Arc::clone(&encoded));
        Ok(encoded)
    }
}

fn encode(embedder: &Embedder, text: &str) -> Result<Encoded, Error> {
    let folded: Vec<&str> = text.split_whitespace().collect();
    let tokens = embedder.tokens(&folded.join(" "))?;
    let piece = |(id, row): (u32, &[f32])| (embedder.piece(id).unwrap_or_default(), row.to_vec());
    Ok(tokens.text_pieces().map(piece).collect())
}

/// The vectors of the pieces that are neither punctuation nor stop words, or of all pieces if there
/// are no others.
fn content(claim: &Encoded, lang: Lang) -> Vec<Vec<f32>> {
    let is_content = |(piece, _): &&(String, Vec<f32>)| {
        piece.contains(char::is_alphanumeric) && !lang.is_stop_word(piece)
    };
    let vectors = |(_, vector): &(String, Vec<f32>)| vector.clone();
    let content: Vec<Vec<f32>> = claim.iter().filter(is_content).map(vectors).collect();
    if content.is_empty() {
        return claim.iter().map(vectors).collect();
    }
    content
}

/// Takes the sentence that raises the mean most, three times; the first wins a tie.
fn best_three(similar: &[Vec<f64>], pieces: usize) -> (f64, f64) {
    let mut reached = vec![-1.0; pieces];
    let raised = |reached: &[f64], row: &[f64]| -> Vec<f64> {
        reached.iter().zip(row).map(|(a, b)| a.max(*b)).collect()
    };
    for _ in 0..BEARING_SENTENCES {
        let candidates = similar.iter().map(|row| raised(&reached, row));
        let best =
            candidates.reduce(|best, next| if mean(&next) > mean(&best) { next } else { best });
        reached = best.unwrap_or(reached);
    }
    let mut sorted = reached.clone();
    sorted.sort_by(f64::total_cmp);
    (mean(&reached), mean(&sorted[..pieces.div_ceil(4)]))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_meet_a_claim_together() {
        let similar = [
            vec![0.9, 0.1, 0.1, 0.1, 0.0],
            vec![0.0, 0.9, 0.8, 0.1, 0.0],
            vec![0.0, 0.0, 0.0, 0.0, 0.7],
            vec![0.2, 0.2, 0.2, 0.2, 0.2],
        ];
        // The second, the first, the third: the fourth piece is met at 0.1 only.
        let (mean, weakest) = best_three(&similar, 5);
        assert!((mean - (0.9 + 0.9 + 0.8 + 0.1 + 0.7) / 5.0).abs() < 1e-12);
        assert!((weakest - (0.1 + 0.7) / 2.0).abs() < 1e-12);
        assert_eq!(best_three(&similar[..1], 5).0, mean_of_first());
    }

    fn mean_of_first() -> f64 {
        mean(&[0.9, 0.1, 0.1, 0.1, 0.0])
    }
}
