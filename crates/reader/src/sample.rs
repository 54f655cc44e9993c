use fiel_metrics::SplitMix64;
use fiel_store::sha256_hex;

/// How the next token is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampling {
    /// 0: always the likeliest.
    pub temperature: f64,
    /// What the draws depend on besides the prompt.
    pub seed: u64,
    /// How many of the likeliest first tokens are passed over; those that end an answer are not
    /// counted and not taken then.
    pub passed_over: usize,
}

impl Sampling {
    /// The likeliest token, always.
    pub(crate) const GREEDY: Self = Self {
        temperature: 0.0,
        seed: 0,
        passed_over: 0,
    };

    /// As it stands in the key of a cached answer.
    pub(crate) fn key(self) -> String {
        let over = match self.passed_over {
            0 => String::new(),
            over => format!(" over {over}"),
        };
        match self.temperature > 0.0 {
            true => format!("temperature {} seed {}{over}", self.temperature, self.seed),
            false => format!("greedy{over}"),
        }
    }

    /// Draws for one answer: the same prompt and seed give the same ones.
    pub(crate) fn draws(self, prompt: &str) -> Draws {
        let digest = sha256_hex(prompt.as_bytes());
        let of_prompt = u64::from_str_radix(&digest[..16], 16).unwrap_or(0);
        Draws {
            temperature: self.temperature,
            random: SplitMix64 {
                state: of_prompt ^ self.seed.wrapping_mul(SplitMix64::STEP),
            },
        }
    }
}

pub(crate) struct Draws {
    temperature: f64,
    random: SplitMix64,
}

impl Draws {
    /// The next token: the first of the largest logits, or one drawn by softmax(logits / T).
    pub(crate) fn next(&mut self, logits: &[f32]) -> u32 {
        let best = argmax(logits);
        if self.temperature <= 0.0 {
            return best;
        }
        let most = f64::from(logits[best as usize]);
        let weight = |logit: &f32| ((f64::from(*logit) - most) / self.temperature).exp();
        let total: f64 = logits.iter().map(weight).sum();
        let mut left = self.uniform() * total;
        let weight = |logit: &f32| ((f64::from(*logit) - most) / self.temperature).exp();
        for (at, logit) in logits.iter().enumerate() {
            left -= weight(logit);
            if left < 0.0 {
                return at as u32;
            }
        }
        best
    }

    /// A uniform number in [0, 1).
    fn uniform(&mut self) -> f64 {
        (self.random.next_bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The first of the largest logits.
pub(crate) fn argmax(logits: &[f32]) -> u32 {
    let mut best = 0;
    for (at, &logit) in logits.iter().enumerate() {
        if logit > logits[best] {
            best = at;
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
            let mut draws = Sampling {
                temperature,
                seed,
                ..Sampling::GREEDY
            }
            .draws("p");
            (0..3000).map(|_| draws.next(&logits)).collect()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let ones = drawn(3).iter().filter(|&&token| token == 1).count();
        assert!((1900..2100).contains(&ones), "{ones}");
        assert!(!drawn(3).contains(&2));
    }
}
