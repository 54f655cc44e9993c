//! What a pipeline is asked to read.

use fiel_text::Lang;

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
