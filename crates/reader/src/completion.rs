//! Requests to a language model and its answers.

use std::time::Duration;

use crate::{Error, cache::Stored, sampling::Sampling};

/// A prompt to complete.
#[derive(Clone, Copy, Debug)]
pub struct CompletionRequest<'a> {
    /// The rendered prompt; see [`LanguageModel::render`].
    pub prompt: &'a str,
    /// Maximum of tokens in the answer.
    pub max_tokens: usize,
    /// Whether a cached answer is returned. New answers are cached either way.
    pub use_cache: bool,
    pub(crate) sampling: Sampling,
}

impl<'a> CompletionRequest<'a> {
    /// A request for the likeliest answer, cached or not.
    pub fn greedy(prompt: &'a str, max_tokens: usize) -> Self {
        Self { prompt, max_tokens, use_cache: true, sampling: Sampling::GREEDY }
    }
}

/// The answer to a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Number of tokens in the prompt.
    pub prompt_tokens: usize,
    /// Number of tokens in the answer.
    pub answer_tokens: usize,
    /// Time to read the prompt and to answer; 0 for a cached answer.
    pub time: Duration,
    /// Whether the answer is from the cache.
    pub cached: bool,
}

/// The answer to a yes/no question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YesNo {
    /// Probability of "yes" against "no", in \[0, 1\].
    pub yes: f64,
    /// Number of tokens in the prompt.
    pub prompt_tokens: usize,
}

impl YesNo {
    /// The form in the answer cache: the probability in its shortest decimal form, which reads back
    /// exactly.
    pub(crate) fn to_stored(self) -> Stored {
        Stored { text: self.yes.to_string(), prompt_tokens: self.prompt_tokens, answer_tokens: 0 }
    }

    pub(crate) fn from_stored(stored: &Stored) -> Result<Self, Error> {
        match stored.text.parse() {
            Ok(yes) => Ok(Self { yes, prompt_tokens: stored.prompt_tokens }),
            Err(_) => Err(Error::CachedProbability { value: stored.text.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_probability_reads_back_exactly() {
        let answer = YesNo { yes: 1.0 / 3.0, prompt_tokens: 7 };
        let stored = answer.to_stored();
        assert_eq!(stored.text, "0.3333333333333333");
        assert_eq!(YesNo::from_stored(&stored).expect("a number"), answer);
        let damaged = Stored { text: "yes".into(), ..stored };
        assert!(matches!(YesNo::from_stored(&damaged), Err(Error::CachedProbability { .. })));
    }
}
