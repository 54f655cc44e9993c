//! `fiel ask`

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Style, one_line};

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
    pub cited: Vec<String>,
    /// Passages in the prompt.
    pub passages: Vec<AskPassage>,
    /// Ids of the chunks that `read.context_tokens` left out.
    pub dropped: Vec<String>,
}

/// A passage in the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AskPassage {
    /// The number that citations use.
    pub id: String,
    /// Id of the chunk.
    pub chunk: String,
    /// Its text.
    pub text: String,
}

/// The passages below a printed answer; `*` marks those that it cites.
pub fn ask_screen(result: &AskResult, style: Style) -> String {
    let mut out = "\n\n".to_owned();
    for passage in &result.passages {
        let is_cited = result.cited.contains(&passage.chunk);
        let mark = if is_cited { "*" } else { " " };
        let line = format!("[{}] {}  {}", passage.id, passage.chunk, passage.text);
        let line = one_line(&line, style.width.saturating_sub(2));
        out.push_str(&format!("{mark} {line}\n"));
    }
    if !result.dropped.is_empty() {
        let dropped = result.dropped.join(", ");
        out.push_str(&format!("  left out by read.context_tokens: {dropped}\n"));
    }
    out
}
