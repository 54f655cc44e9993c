//! A claim against sentences by the vectors of their word pieces (late interaction: Khattab and
//! Zaharia, ColBERT, 2020).

use std::{collections::BTreeMap, sync::Arc};

use fiel_embedding::{Embedder, dot};
use fiel_metrics::BEARING_SENTENCES;
use fiel_text::Lang;

use crate::Error;

/// Sentences that are encoded for a claim; more change nothing that could be measured.
const SHORTLIST: usize = 24;
/// Encoded sentences that are kept for the next claim, about 50 kB each.
const KEPT: usize = 1024;

/// Unit vectors of the pieces of a text, and the pieces.
type Encoded = Vec<(String, Vec<f32>)>;

/// Encoded sentences: the claims of an answer meet the same ones.
#[derive(Default)]
pub(super) struct MaxSim {
    kept: BTreeMap<String, Arc<Encoded>>,
}

impl MaxSim {
    /// For each word piece of the claim the greatest cosine with a piece of the three sentences
    /// that together meet the claim best: the mean over the pieces, and that over the quarter of
    /// them that is met worst. `sentences`: the most promising first, of which a shortlist is read.
    pub(super) fn of(
        &mut self,
        embedder: &Embedder,
        claim: &str,
        sentences: &[&str],
        lang: Lang,
    ) -> Result<(f64, f64), Error> {
        let pieces = asked(&encode(embedder, claim)?, lang);
        let mut similar = Vec::new();
        for sentence in sentences.iter().take(SHORTLIST) {
            let sentence = self.encoded(embedder, sentence)?;
            let nearest = |piece: &Vec<f32>| {
                let cosines = sentence.iter().map(|(_, other)| f64::from(dot(piece, other)));
                cosines.fold(-1.0, f64::max)
            };
            similar.push(pieces.iter().map(nearest).collect::<Vec<f64>>());
        }
        Ok(reached(&similar, pieces.len()))
    }

    fn encoded(&mut self, embedder: &Embedder, text: &str) -> Result<Arc<Encoded>, Error> {
        if let Some(known) = self.kept.get(text) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(encode(embedder, text)?);
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        self.kept.insert(text.to_owned(), Arc::clone(&made));
        Ok(made)
    }
}

fn encode(embedder: &Embedder, text: &str) -> Result<Encoded, Error> {
    let folded: Vec<&str> = text.split_whitespace().collect();
    let tokens = embedder.tokens(&folded.join(" "))?;
    let piece = |(id, row): (u32, &[f32])| (embedder.piece(id).unwrap_or_default(), row.to_vec());
    Ok(tokens.text_pieces().map(piece).collect())
}

/// The vectors of the claim's pieces that say something: no marks and no stop words, unless there
/// is nothing else.
fn asked(claim: &Encoded, lang: Lang) -> Vec<Vec<f32>> {
    let says = |(piece, _): &&(String, Vec<f32>)| {
        piece.contains(char::is_alphanumeric) && !lang.is_stop_word(piece)
    };
    let vectors = |(_, vector): &(String, Vec<f32>)| vector.clone();
    let kept: Vec<Vec<f32>> = claim.iter().filter(says).map(vectors).collect();
    if kept.is_empty() {
        return claim.iter().map(vectors).collect();
    }
    kept
}

/// Three times the sentence that raises the mean most is taken (of equals the first).
fn reached(similar: &[Vec<f64>], pieces: usize) -> (f64, f64) {
    let mut reached = vec![-1.0; pieces];
    let raised = |reached: &[f64], row: &[f64]| -> Vec<f64> {
        reached.iter().zip(row).map(|(a, b)| a.max(*b)).collect()
    };
    for _ in 0..BEARING_SENTENCES {
        let candidates = similar.iter().map(|row| raised(&reached, row));
        let best = candidates.reduce(|best, next| match mean(&next) > mean(&best) {
            true => next,
            false => best,
        });
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
        let (mean, weakest) = reached(&similar, 5);
        assert!((mean - (0.9 + 0.9 + 0.8 + 0.1 + 0.7) / 5.0).abs() < 1e-12);
        assert!((weakest - (0.1 + 0.7) / 2.0).abs() < 1e-12);
        assert_eq!(reached(&similar[..1], 5).0, mean_of_first());
    }

    fn mean_of_first() -> f64 {
        mean(&[0.9, 0.1, 0.1, 0.1, 0.0])
    }
}
