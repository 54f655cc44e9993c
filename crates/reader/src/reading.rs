//! Requests to read and their outcomes.

use std::time::Duration;

use fiel_record::GuardScore;
use fiel_text::Lang;

use crate::Context;

/// A question with the chunks to answer it from.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// The question.
    pub question: &'a str,
    /// Positions of the chunks to read, best first. [`Pipeline::ask`](crate::Pipeline::ask)
    /// replaces them by those that it retrieves.
    pub chunks: &'a [usize],
    /// Language of the question, which decides prompts and refusals.
    pub lang: Lang,
    /// Number of the draw, added to `read.seed`.
    pub draw: u64,
    /// Whether a cached answer is returned.
    pub use_cache: bool,
}

impl<'a> ReadRequest<'a> {
    /// A request for draw 0, cached or not.
    pub fn new(question: &'a str, chunks: &'a [usize], lang: Lang) -> Self {
        Self { question, chunks, lang, draw: 0, use_cache: true }
    }
}

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
