//! Mixing the scores of a reranker into a ranking.

use crate::{Error, Hit, Retrieved, ScoredItem, fuse::z_scores, order::top_k, ranked::ranks};

impl Retrieved {
    /// Sorts the first `scores.len()` hits by `weight` · rerank + (1 − `weight`) · fused. Both
    /// scores are first standardized to mean 0 and standard deviation 1 over these hits (0 if all
    /// are equal). The hits below keep their order; each scores 1 less than the one before.
    ///
    /// # Errors
    /// [`Error::NotANumber`] if a score is NaN.
    pub fn rerank(&mut self, scores: &[f64], weight: f64) -> Result<(), Error> {
        let depth = scores.len().min(self.hits.len());
        let scored = |(item, score): (usize, f64)| ScoredItem { item, score };
        let reranked: Vec<ScoredItem> =
            scores[..depth].iter().copied().enumerate().map(scored).collect();
        let fused = self.hits[..depth].iter().map(|hit| hit.score);
        let fused: Vec<ScoredItem> = fused.enumerate().map(scored).collect();
        let (by_reranker, by_fusion) = (z_scores(&reranked).0, z_scores(&fused).0);
        let mixed = (0..depth).map(|position| ScoredItem {
            // Among equal scores the position stands for the chunk id, which decided it.
            item: position,
            score: weight * by_reranker[&position] + (1.0 - weight) * by_fusion[&position],
        });
        let order = top_k(mixed, depth)?;
        let reranker_ranks = ranks(&top_k(reranked, depth)?);
        let last = order.last().map_or(0.0, |s| s.score);
        let reordered = order.iter().map(|s| Hit {
            score: s.score,
            rerank: reranker_ranks.get(&s.item).copied(),
            ..self.hits[s.item].clone()
        });
        let below = self.hits[depth..]
            .iter()
            .zip(1..)
            .map(|(hit, place)| Hit { score: last - f64::from(place), ..hit.clone() });
        self.hits = reordered.chain(below).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ListPlace;

    fn retrieved(scores: &[f64]) -> Retrieved {
        let hit = |(chunk, &score): (usize, &f64)| Hit { chunk, score, ..Hit::default() };
        Retrieved { hits: scores.iter().enumerate().map(hit).collect(), ..Retrieved::default() }
    }

    fn chunks(r: &Retrieved) -> Vec<usize> {
        r.hits.iter().map(|h| h.chunk).collect()
    }

    #[test]
    fn reranker_decides_alone_or_is_mixed_and_the_rest_stays_below() {
        let mut alone = retrieved(&[0.9, 0.8, 0.7, 0.2]);
        alone.rerank(&[-3.0, 0.0, 5.0], 1.0).expect("finite");
        assert_eq!(chunks(&alone), [2, 1, 0, 3]);
        assert_eq!(alone.hits[0].rerank, Some(ListPlace { rank: 1, score: 5.0 }));
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
