use std::path::PathBuf;

use fiel_corpus::{ChunkKind, Chunker};
use fiel_models::DeviceChoice;
use fiel_retrieval::{
    RerankMethod, RerankSettings, RetrieveSettings, RewriteMethod, RewriteSettings,
};
use serde::{Deserialize, Serialize};

use crate::{Error, GuardSettings, Order};

/// `read.model` of the reader that needs no language model.
pub const EXTRACTIVE: &str = "extractive";

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
    /// How the question is rewritten before.
    pub rewrite: RewriteSettings,
    /// How what was found is put into another order.
    pub rerank: RerankSettings,
    /// How they are read.
    pub read: ReadSettings,
}

/// `[chunk]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkSettings {
    /// Where documents are cut, and what is indexed of a chunk.
    pub kind: ChunkKind,
    /// Word pieces of a chunk, headings counted.
    pub size: usize,
    /// Word pieces repeated from the chunk before under the same heading.
    pub overlap: usize,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self {
            kind: ChunkKind::Structure,
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
    /// A file with what the model is asked, or a folder with one for each language; `None`: as
    /// shipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PathBuf>,
    /// How passages stand in the prompt.
    pub order: Order,
    /// Tokens of an answer at the most.
    pub max_answer_tokens: usize,
    /// How freely tokens are drawn; 0: always the likeliest.
    pub temperature: f64,
    /// Seed of the draws.
    pub seed: u64,
    /// Whether a model is made to begin otherwise where its answer only repeats the question.
    pub no_echo: bool,
    /// Whether an answer without a citation is attributed to the passage that supports it best.
    /// It never counts as cited.
    pub repair: bool,
    /// When the reader is not asked; `None`: it always is, or, in `eval`, as the gold set says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<GuardSettings>,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            model: "qwen2.5-coder-1.5b-instruct-q4_k_m".to_owned(),
            context_k: 3,
            context_tokens: 1024,
            prompt: None,
            order: Order::default(),
            max_answer_tokens: 64,
            temperature: 0.0,
            seed: 42,
            no_echo: true,
            repair: false,
            guard: None,
        }
    }
}

impl PipelineSettings {
    /// # Errors
    /// Naming the key that makes no sense and what it may be.
    pub fn check(&self) -> Result<(), Error> {
        self.retrieve.check()?;
        self.rewrite.check()?;
        self.rerank.check()?;
        Chunker::new(self.chunk.kind, self.chunk.size, self.chunk.overlap)?;
        let read = &self.read;
        let bad = |setting, value: &dyn ToString, reason| {
            Err(Error::BadSetting {
                setting,
                value: value.to_string(),
                reason,
            })
        };
        let positive = [
            ("read.context_k", read.context_k),
            ("read.context_tokens", read.context_tokens),
            ("read.max_answer_tokens", read.max_answer_tokens),
        ];
        for (setting, value) in positive {
            if value == 0 {
                return bad(setting, &value, "it must be at least 1");
            }
        }
        if !(0.0..=10.0).contains(&read.temperature) {
            let reason = "it must lie between 0 and 10";
            return bad("read.temperature", &read.temperature, reason);
        }
        if let Some(Err((setting, value))) = read.guard.map(|guard| crate::guard::check(guard)) {
            return bad(setting, &value, "it must lie between 0 and 1");
        }
        if read.context_k > self.retrieve.top_k {
            let reason = "it may not be larger than retrieve.top_k";
            return bad("read.context_k", &read.context_k, reason);
        }
        if read.model == EXTRACTIVE && self.needs_language_model(false) {
            let reason = "rerank.method and rewrite.method `llm` ask the reader, which must be a language model";
            return bad("read.model", &read.model, reason);
        }
        Ok(())
    }

    /// Whether a language model is asked. `reads`: whether questions are answered.
    pub(crate) fn needs_language_model(&self, reads: bool) -> bool {
        self.rerank.method == RerankMethod::Llm
            || self.rewrite.method == RewriteMethod::Llm
            || (reads && self.read.model != EXTRACTIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let with = |change: fn(&mut PipelineSettings)| {
            let mut settings = PipelineSettings::default();
            change(&mut settings);
            settings
                .check()
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert_eq!(with(|_| {}), "");
        assert!(with(|s| s.read.context_k = 0).starts_with("read.context_k is 0"));
        assert!(with(|s| s.read.context_k = 11).contains("retrieve.top_k"));
        assert!(with(|s| s.rerank.weight = 1.5).contains("between 0 and 1"));
        let asks = |s: &mut PipelineSettings| {
            s.read.model = EXTRACTIVE.into();
            s.rewrite.method = RewriteMethod::Llm;
        };
        assert!(with(asks).contains("must be a language model"));
    }
}
