//! `fiel ask`

use fiel_text::id::ChunkId;
use schemars::JsonSchema;
use serde::Serialize;

/// An answer with its citations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AskResult {
    /// The question as asked.
    pub question: String,
    /// The answer with its citation marks.
    pub answer: String,
    /// Whether the reader declined to answer.
    pub abstained: bool,
    /// Whether the answer comes from the cache.
    pub cached: bool,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the answer.
    pub answer_tokens: usize,
    /// Ids of the chunks that the answer cites.
    pub cited: Vec<ChunkId>,
    /// Passages in the prompt.
    pub passages: Vec<AskPassage>,
    /// Ids of the chunks that `read.context_tokens` left out.
    pub dropped: Vec<ChunkId>,
}

/// A passage in the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AskPassage {
    /// The number that citations use.
    pub id: String,
    /// Id of the chunk.
    pub chunk: ChunkId,
    /// Its text.
    pub text: String,
}
