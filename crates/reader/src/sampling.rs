//! Sampling of tokens.

use fiel_metrics::SplitMix64;
use fiel_store::sha256_hex;

/// How tokens are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampling {
    /// Temperature of the softmax; 0 always takes the likeliest token.
    pub temperature: f64,
    /// Seed of the draws, combined with the prompt.
    pub seed: u64,
    /// Number of the likeliest first tokens to skip. Tokens that end an answer are skipped without
    /// being counted.
    pub skipped: usize,
}

impl Sampling {
    /// Always the likeliest token.
    pub(crate) const GREEDY: Self = Self { temperature: 0.0, seed: 0, skipped: 0 };

    /// Its part of the key of a cached answer.
    pub(crate) fn key(self) -> String {
        let mut key = "greedy".to_owned();
        if self.temperature > 0.0 {
            key = format!("temperature {} seed {}", self.temperature, self.seed);
        }
        if self.skipped > 0 {
            key.push_str(&format!(" over {}", self.skipped));
        }
        key
    }

    /// The draws for an answer; the same for the same prompt and seed.
    pub(crate) fn draws(self, prompt: &str) -> TokenDraws {
        let digest = sha256_hex(prompt.as_bytes());
        let prompt_seed = u64::from_str_radix(&digest[..16], 16).unwrap_or(0);
        TokenDraws {
            temperature: self.temperature,
            random: SplitMix64 { state: prompt_seed ^ self.seed.wrapping_mul(SplitMix64::STEP) },
        }
    }
}

pub(crate) struct TokenDraws {
    temperature: f64,
    random: SplitMix64,
}

impl TokenDraws {
    /// The next token: the first of the largest logits, or a draw from softmax(logits / T).
    pub(crate) fn next(&mut self, logits: &[f32]) -> u32 {
        let best = argmax(logits);
        if self.temperature <= 0.0 {
            return best;
        }
        let most = f64::from(logits[best as usize]);
        let temperature = self.temperature;
        let weight = |logit: &f32| ((f64::from(*logit) - most) / temperature).exp();
        let total: f64 = logits.iter().map(weight).sum();
        // A uniform number in [0, 1).
        let uniform = (self.random.next_bits() >> 11) as f64 / (1u64 << 53) as f64;
        let mut left = uniform * total;
        for (token, logit) in logits.iter().enumerate() {
            left -= weight(logit);
            if left < 0.0 {
                return token as u32;
            }
        }
        best
    }
}

/// The first of the largest logits.
pub(crate) fn argmax(logits: &[f32]) -> u32 {
    let mut best = 0;
    for (token, &logit) in logits.iter().enumerate() {
        if logit > logits[best] {
            best = token;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_logits_wins() {
        assert_eq!(argmax(&[0.0, 2.0, 2.0, 1.0]), 1);
        let mut draws = Sampling::GREEDY.draws("p");
        assert!((0..9).all(|_| draws.next(&[0.0, 2.0, 2.0, 1.0]) == 1));
    }

    #[test]
    fn draws_follow_the_probabilities_and_repeat_with_their_seed() {
        let logits = [0.0, 2.0_f32.ln(), f32::NEG_INFINITY];
        let drawn = |seed| -> Vec<u32> {
            let temperature = 1.0;
            let mut draws = Sampling { temperature, seed, ..Sampling::GREEDY }.draws("p");
            (0..3000).map(|_| draws.next(&logits)).collect()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let ones = drawn(3).iter().filter(|&&token| token == 1).count();
        assert!((1900..2100).contains(&ones), "{ones}");
        assert!(!drawn(3).contains(&2));
    }
}
