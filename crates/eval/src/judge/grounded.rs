//! The grounded scorer: a logistic regression without a language model.

use std::sync::Arc;

use fiel_embedding::Embedder;
use fiel_metrics::StemmedContext;
use fiel_store::sha256_hex;
use fiel_text::Lang;
use serde::{Deserialize, Serialize};

use super::maxsim::MaxSim;
use crate::Error;

/// The embedder that the coefficients were fitted with.
pub(super) const GROUNDED_EMBEDDER: &str = "all-MiniLM-L6-v2";

/// The coefficients. They change with every change of a feature.
const FITTED: &str = include_str!("grounded.toml");

/// Features of a claim and its context, whose weighted sum gives the score. The first five are those
/// of [`fiel_metrics::ClaimFeatures`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundedFeatures {
    /// Share of the claim's stems in the three sentences that cover it best.
    pub coverage: f64,
    /// ln(1 + number of names that are missing in the context).
    pub names_missing: f64,
    /// Share of its numbers that are in the context.
    pub numbers_found: f64,
    /// Strength of a different number in the context.
    pub number_conflict: f64,
    /// Strength of an opposite statement in the context.
    pub polarity_conflict: f64,
    /// Mean over the claim's word pieces of the largest cosine in the three best sentences.
    pub maxsim: f64,
    /// The same mean over the quarter of the pieces with the lowest cosines.
    pub maxsim_weakest: f64,
}

impl GroundedFeatures {
    fn values(&self) -> [f64; 7] {
        [
            self.coverage,
            self.names_missing,
            self.numbers_found,
            self.number_conflict,
            self.polarity_conflict,
            self.maxsim,
            self.maxsim_weakest,
        ]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    intercept: f64,
    coefficients: GroundedFeatures,
    /// Models that were each fitted without the claims of one fold.
    #[serde(default)]
    fold: Vec<Self>,
}

impl Model {
    fn score(&self, features: &GroundedFeatures) -> f64 {
        let weighted = self.coefficients.values().into_iter().zip(features.values());
        let sum: f64 = weighted.map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-(self.intercept + sum)).exp())
    }
}

/// A scorer of claims without a language model: a logistic regression over [`GroundedFeatures`],
/// fitted on WiCE (Kamoi et al., "WiCE: Real-world entailment for claims in
/// Wikipedia", 2023) and on sentences made from its pages; the script is in `crates/eval/fit`.
///
/// The score is the probability of support; 0 if the context has no sentence.
pub struct GroundedScorer {
    embedder: Arc<Embedder>,
    model: Model,
    maxsim: MaxSim,
}

impl GroundedScorer {
    /// A scorer with the shipped coefficients, which belong to `all-MiniLM-L6-v2`.
    pub fn new(embedder: Arc<Embedder>) -> Self {
        let model = toml::from_str(FITTED).expect("a test parses the shipped file");
        Self { embedder, model, maxsim: MaxSim::default() }
    }

    /// Key of embedder and coefficients. Scorers with equal keys score alike.
    pub fn key(&self) -> String {
        sha256_hex(format!("{}\n{FITTED}", self.embedder.key()).as_bytes())
    }

    /// The features of a claim; `None` if the claim has no word or the passages no sentence.
    ///
    /// # Errors
    /// If a text cannot be embedded.
    pub fn features(
        &mut self,
        claim: &str,
        passages: &[&str],
        lang: Lang,
    ) -> Result<Option<GroundedFeatures>, Error> {
        let context = StemmedContext::new(passages, lang);
        let Some(words) = context.features(claim) else {
            return Ok(None);
        };
        let sentences: Vec<&str> =
            words.by_overlap.iter().map(|&at| context.sentence(at)).collect();
        let (maxsim, maxsim_weakest) =
            self.maxsim.score(&self.embedder, claim, &sentences, lang)?;
        Ok(Some(GroundedFeatures {
            coverage: words.coverage,
            names_missing: words.names_missing,
            numbers_found: words.numbers_found,
            number_conflict: words.number_conflict,
            polarity_conflict: words.polarity_conflict,
            maxsim,
            maxsim_weakest,
        }))
    }

    /// The score of a claim with the given features.
    pub fn score_of(&self, features: Option<&GroundedFeatures>) -> f64 {
        features.map_or(0.0, |features| self.model.score(features))
    }

    /// The score by coefficients that were fitted without the fold of the claim: SHA-256 of the claim, the first eight bytes as a big-endian number, modulo the folds.
    pub fn score_out_of_fold(&self, claim: &str, features: Option<&GroundedFeatures>) -> f64 {
        let model = &self.model.fold[fold(claim, self.model.fold.len())];
        features.map_or(0.0, |features| model.score(features))
    }
}

fn fold(claim: &str, folds: usize) -> usize {
    let digest = sha256_hex(claim.as_bytes());
    let head = u64::from_str_radix(&digest[..16], 16).unwrap_or_default();
    (head % folds as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficients_have_the_signs_of_their_meaning() {
        let fitted: Model = toml::from_str(FITTED).expect("reads");
        assert_eq!(fitted.fold.len(), 5);
        let all = fitted.fold.iter().map(|m| &m.coefficients);
        for coefficients in all.chain([&fitted.coefficients]) {
            let signs = coefficients.values().map(f64::signum);
            assert_eq!(signs, [1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0]);
        }
    }

    #[test]
    fn folds_are_those_of_the_script() {
        // int.from_bytes(hashlib.sha256(b"...").digest()[:8], "big") % 5
        assert_eq!(["a", "b", "The bridge."].map(|claim| fold(claim, 5)), [0, 1, 4]);
    }
}
