use fiel_models::DeviceChoice;
use fiel_retrieval::RetrieveSettings;
use serde::{Deserialize, Serialize};

/// Everything that decides what is retrieved and answered: the part of fiel.toml that `ask`,
/// `search`, `index` and `eval` share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PipelineSettings {
    /// Where models run.
    pub device: DeviceChoice,
    /// How documents are cut.
    pub chunk: ChunkSettings,
    /// How chunks and questions are embedded.
    pub embed: EmbedSettings,
    /// How passages are found.
    pub retrieve: RetrieveSettings,
    /// How they are read.
    pub read: ReadSettings,
}

/// `[chunk]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Word pieces of a chunk, headings counted.
    pub size: usize,
    /// Word pieces repeated from the chunk before under the same heading.
    pub overlap: usize,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self {
            size: 128,
            overlap: 24,
        }
    }
}

/// `[embed]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EmbedSettings {
    /// Id of the embedding model.
    pub model: String,
}

impl Default for EmbedSettings {
    fn default() -> Self {
        Self {
            model: "all-MiniLM-L6-v2".to_owned(),
        }
    }
}

/// `[read]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadSettings {
    /// Id of the reader model, the path of a GGUF file, or `extractive`.
    pub model: String,
    /// Passages that are read, best first.
    pub context_k: usize,
    /// Tokens all passages may take together; whole passages are dropped from the last.
    pub context_tokens: usize,
    /// Tokens of an answer at the most.
    pub max_answer_tokens: usize,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            model: "qwen2.5-coder-1.5b-instruct-q4_k_m".to_owned(),
            context_k: 3,
            context_tokens: 1024,
            max_answer_tokens: 64,
        }
    }
}
