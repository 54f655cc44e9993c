use std::collections::BTreeMap;

use crate::{Error, Hit, LegHit, Retrieved, Scored, fuse::z_scores, order::top_k};

/// Something that judges how well passages answer a question.
pub trait Reranker {
    /// A score for each passage, higher is better.
    ///
    /// # Errors
    /// When the model behind it fails.
    fn scores(&mut self, question: &str, passages: &[&str]) -> Result<Vec<f64>, Error>;
}

impl Retrieved {
    /// Puts the first `scores.len()` hits into the order of
    /// `weight` · rerank + (1 − `weight`) · fused, both brought to mean 0 and deviation 1 over these
    /// hits (0 where all are equal). The hits below follow in their order, each scored 1 less than
    /// the one before.
    ///
    /// # Errors
    /// [`Error::NotANumber`] when a score is NaN.
    pub fn rerank(&mut self, scores: &[f64], weight: f64) -> Result<(), Error> {
        let depth = scores.len().min(self.hits.len());
        let scored = |(item, score): (usize, f64)| Scored { item, score };
        let judged: Vec<Scored> = scores[..depth]
            .iter()
            .copied()
            .enumerate()
            .map(scored)
            .collect();
        let found: Vec<Scored> = self
            .hits
            .iter()
            .map(|h| h.score)
            .enumerate()
            .map(scored)
            .collect();
        let (by_judge, by_fusion) = (z_scores(&judged).0, z_scores(&found[..depth]).0);
        let mixed = (0..depth).map(|at| Scored {
            // The position stands for the chunk id between equal scores: it was decided by it.
            item: at,
            score: weight * by_judge[&at] + (1.0 - weight) * by_fusion[&at],
        });
        let order = top_k(mixed, depth)?;
        // Places by the judge alone.
        let ranks: BTreeMap<usize, LegHit> = top_k(judged, depth)?
            .iter()
            .enumerate()
            .map(|(at, s)| {
                let (rank, score) = (at + 1, s.score);
                (s.item, LegHit { rank, score })
            })
            .collect();
        let last = order.last().map_or(0.0, |s| s.score);
        let place = |s: &Scored| {
            let mut hit = self.hits[s.item].clone();
            hit.score = s.score;
            hit.rerank = ranks.get(&s.item).copied();
            hit
        };
        let mut hits: Vec<_> = order.iter().map(place).collect();
        hits.extend(self.hits[depth..].iter().enumerate().map(|(at, hit)| Hit {
            score: last - (at + 1) as f64,
            ..hit.clone()
        }));
        self.hits = hits;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retrieved(scores: &[f64]) -> Retrieved {
        let hit = |(chunk, &score): (usize, &f64)| Hit {
            chunk,
            score,
            ..Hit::default()
        };
        Retrieved {
            hits: scores.iter().enumerate().map(hit).collect(),
            ..Retrieved::default()
        }
    }

    fn chunks(r: &Retrieved) -> Vec<usize> {
        r.hits.iter().map(|h| h.chunk).collect()
    }

    #[test]
    fn the_judge_decides_alone_or_is_mixed_and_the_rest_stays_below() {
        let mut alone = retrieved(&[0.9, 0.8, 0.7, 0.2]);
        alone.rerank(&[-3.0, 0.0, 5.0], 1.0).expect("finite");
        assert_eq!(chunks(&alone), [2, 1, 0, 3]);
        assert_eq!(
            alone.hits[0].rerank,
            Some(LegHit {
                rank: 1,
                score: 5.0
            })
        );
        assert_eq!(alone.hits[3].rerank, None);
        assert!(alone.hits.windows(2).all(|w| w[0].score >= w[1].score));
        let mut mixed = retrieved(&[1.0, 0.5, 0.0]);
        // Fused 1, 0.5, 0 and judged 0, 1, 0.5 both have the deviation sqrt(1/6).
        mixed.rerank(&[0.0, 1.0, 0.5], 0.5).expect("finite");
        assert_eq!(chunks(&mixed), [1, 0, 2]);
        let expected = 0.5 * 0.5 / (1.0f64 / 6.0).sqrt();
        assert!((mixed.hits[0].score - expected).abs() < 1e-12);
        let mut equal = retrieved(&[0.3, 0.3]);
        equal.rerank(&[0.1, 0.1], 0.7).expect("finite");
        assert_eq!(chunks(&equal), [0, 1]);
        assert!(retrieved(&[1.0]).rerank(&[f64::NAN], 1.0).is_err());
    }
}
