//! Settings of a pipeline.

use std::path::PathBuf;

use fiel_models::DeviceChoice;
use fiel_record::GuardSettings;
use fiel_retrieval::{
    ChunkSettings, RerankMethod, RerankSettings, RetrieveSettings, RewriteMethod, RewriteSettings,
};
use serde::{Deserialize, Serialize};

use crate::{Error, PassageOrder};

/// The value of `read.model` for the reader without a language model.
pub const EXTRACTIVE: &str = "extractive";

/// Everything that affects what is retrieved and answered: the part of fiel.toml that `ask`,
/// `search`, `index` and `eval` share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PipelineSettings {
    /// Device that models run on.
    pub device: DeviceChoice,
    /// Cutting of documents into chunks.
    pub chunk: ChunkSettings,
    /// Embedding of chunks and questions.
    pub embed: EmbedSettings,
    /// Search.
    pub retrieve: RetrieveSettings,
    /// Rewriting of the question before the search.
    pub rewrite: RewriteSettings,
    /// Reranking of the passages found.
    pub rerank: RerankSettings,
    /// Reading.
    pub read: ReadSettings,
    /// Refusals.
    #[serde(skip_serializing_if = "AbstainSettings::is_default")]
    pub abstain: AbstainSettings,
}

/// `[abstain]` of fiel.toml.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AbstainSettings {
    /// Beginnings of refusals in addition to those that Fiel knows.
    pub phrases: Vec<String>,
}

impl AbstainSettings {
    fn is_default(&self) -> bool {
        self.phrases.is_empty()
    }
}

/// `[embed]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EmbedSettings {
    /// Id of the embedding model.
    pub model: String,
}

impl Default for EmbedSettings {
    fn default() -> Self {
        Self { model: "all-MiniLM-L6-v2".to_owned() }
    }
}

/// `[read]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadSettings {
    /// Id of the reader model, the path of a GGUF file, or `extractive`.
    pub model: String,
    /// Number of passages to read.
    pub context_k: usize,
    /// Maximum of tokens in all passages together; whole passages are dropped, the last first.
    pub context_tokens: usize,
    /// A prompt file, or a folder with one per language; `None` for the shipped prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PathBuf>,
    /// Order of the passages in the prompt.
    pub order: PassageOrder,
    /// Maximum of tokens in an answer.
    pub max_answer_tokens: usize,
    /// Temperature of sampling, 0 to 10; 0 always takes the likeliest token.
    pub temperature: f64,
    /// Seed of sampling.
    pub seed: u64,
    /// Whether an answer that only repeats the question is generated again with another first token.
    pub no_echo: bool,
    /// Whether an answer without a citation is attributed to the passage that supports it best. The
    /// passage never counts as cited.
    pub repair: bool,
    /// Thresholds below which the reader is not asked; `None` for no guard, or in `eval` for that of
    /// the gold set.
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
            order: PassageOrder::default(),
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
    /// Checks that every setting is in its range and fits the others.
    ///
    /// # Errors
    /// With the key and the allowed values.
    pub fn check(&self) -> Result<(), Error> {
        self.retrieve.check()?;
        self.rewrite.check()?;
        self.rerank.check()?;
        self.chunk.chunker()?;
        let read = &self.read;
        let check = |setting, value: &dyn ToString, is_valid, reason| {
            let value = value.to_string();
            if is_valid { Ok(()) } else { Err(Error::BadSetting { setting, value, reason }) }
        };
        for (setting, value) in [
            ("read.context_k", read.context_k),
            ("read.context_tokens", read.context_tokens),
            ("read.max_answer_tokens", read.max_answer_tokens),
        ] {
            check(setting, &value, value > 0, "it must be at least 1")?;
        }
        let has_range = (0.0..=10.0).contains(&read.temperature);
        check("read.temperature", &read.temperature, has_range, "it must be between 0 and 10")?;
        if let Some((setting, value)) = read.guard.and_then(|guard| guard.invalid_threshold()) {
            check(setting, &value, false, "it must be between 0 and 1")?;
        }
        let is_found = read.context_k <= self.retrieve.top_k;
        check("read.context_k", &read.context_k, is_found, "it must be at most retrieve.top_k")?;
        let fits = read.model != EXTRACTIVE || !self.needs_language_model(false);
        let reason =
            "rerank.method and rewrite.method `llm` ask the reader, which must be a language model";
        check("read.model", &read.model, fits, reason)
    }

    /// Whether a language model is needed. `reads` says whether questions will be answered.
    pub(crate) fn needs_language_model(&self, reads: bool) -> bool {
        self.rerank.method == RerankMethod::Llm
            || self.rewrite.method == RewriteMethod::Llm
            || (reads && self.read.model != EXTRACTIVE)
    }
}

#[cfg(test)]
mod tests {
    use fiel_record::GuardScore;

    use super::*;

    #[test]
    fn settings_out_of_range_are_named() {
        let with = |change: fn(&mut PipelineSettings)| {
            let mut settings = PipelineSettings::default();
            change(&mut settings);
            settings.check().err().map(|e| e.to_string()).unwrap_or_default()
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
        let guard = |s: &mut PipelineSettings| {
            s.read.guard = Some(GuardSettings { cosine: 0.4, share: f64::NAN })
        };
        assert!(with(guard).starts_with("read.guard.share is NaN"));
    }

    #[test]
    fn the_guard_refuses_only_if_both_scores_are_low() {
        let guard = GuardSettings { cosine: 0.4, share: 0.5 };
        let refuses = |cosine, share| guard.refuses(GuardScore { cosine, share });
        assert!(refuses(0.39, 0.49));
        assert!(!refuses(0.41, 0.0) && !refuses(0.0, 0.5));
    }
}
