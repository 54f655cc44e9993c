//! The outcome of reading.

use std::time::Duration;

use crate::Context;
use fiel_record::GuardScore;

/// An answer with everything that led to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The passages read, and the chunks left out.
    pub context: Context,
    /// The rendered prompt; empty if no language model was asked.
    pub prompt: String,
    /// The answer with its citations.
    pub answer: String,
    /// Whether the answer is a refusal.
    pub abstained: bool,
    /// Number of tokens in the prompt.
    pub prompt_tokens: usize,
    /// Number of tokens in the answer, rejected answers included.
    pub answer_tokens: usize,
    /// Time to read and answer; 0 for a cached answer.
    pub time: Duration,
    /// Whether the answer is from the cache.
    pub cached: bool,
    /// Score of the abstention guard, if one is set.
    pub guard: Option<GuardScore>,
    /// Whether the guard refused, so that the reader was not asked.
    pub guarded: bool,
    /// Id of the passage that best supports an answer without a citation, with `read.repair`.
    pub attributed: Option<String>,
    /// The first answer, if it only repeated the question and was replaced.
    pub echoed: Option<String>,
}
