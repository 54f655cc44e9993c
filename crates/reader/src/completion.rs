//! Requests to a language model and its answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Error, sampling::Sampling};

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

/// The answer to a prompt. The cache stores its text and the numbers of tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Number of tokens in the prompt.
    pub prompt_tokens: usize,
    /// Number of tokens in the answer.
    pub answer_tokens: usize,
    /// Time to read the prompt and to answer; 0 for a cached answer.
    #[serde(skip)]
    pub time: Duration,
    /// Whether the answer is from the cache.
    #[serde(skip)]
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
    pub(crate) fn to_completion(self) -> Completion {
        let (text, prompt_tokens) = (self.yes.to_string(), self.prompt_tokens);
        Completion { text, prompt_tokens, ..Completion::default() }
    }

    pub(crate) fn from_completion(cached: Completion) -> Result<Self, Error> {
        let Completion { text, prompt_tokens, .. } = cached;
        let yes = text.parse().map_err(|_| Error::CachedProbability(text))?;
        Ok(Self { yes, prompt_tokens })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_probability_reads_back_exactly() {
        let answer = YesNo { yes: 1.0 / 3.0, prompt_tokens: 7 };
        let stored = answer.to_completion();
        assert_eq!(stored.text, "0.3333333333333333");
        assert_eq!(YesNo::from_completion(stored).expect("a number"), answer);
        let damaged = Completion { text: "yes".into(), ..Completion::default() };
        assert!(matches!(YesNo::from_completion(damaged), Err(Error::CachedProbability(_))));
    }
}
