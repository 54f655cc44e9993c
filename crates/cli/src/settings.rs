use std::path::Path;

use anyhow::{Context, Result};
use fiel_corpus::ChunkKind;
use fiel_eval::{EvalMode, EvalSettings, JudgeSettings, PriceSettings};
use fiel_reader::{ChunkSettings, EmbedSettings, GuardSettings, PipelineSettings, ReadSettings};
use fiel_retrieval::{RerankSettings, RetrieveSettings, RewriteSettings};
use serde::{Deserialize, Serialize};

use crate::{
    args::{AblateArgs, Common, EvalArgs, PipelineArgs, QuestionArgs, ReaderArgs},
    arms::AblateSettings,
};

/// `fiel.toml`: every key, with its default where the file is silent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Knowledge base: a name below `kb/` or a folder.
    pub kb: String,
    /// Gold set: a name below `gold/` or a file.
    pub gold: String,
    /// Where models run.
    pub device: fiel_models::DeviceChoice,
    pub chunk: ChunkSettings,
    pub embed: EmbedSettings,
    pub retrieve: RetrieveSettings,
    pub rewrite: RewriteSettings,
    pub rerank: RerankSettings,
    pub read: ReadSettings,
    pub eval: EvalSettings,
    pub judge: JudgeSettings,
    pub price: PriceSettings,
    /// Arms of `fiel ablate`.
    pub ablate: AblateSettings,
}

impl Default for Settings {
    fn default() -> Self {
        let PipelineSettings {
            device,
            chunk,
            embed,
            retrieve,
            rewrite,
            rerank,
            read,
        } = PipelineSettings::default();
        Self {
            kb: "verbs".to_owned(),
            gold: "verbs".to_owned(),
            device,
            chunk,
            embed,
            retrieve,
            rewrite,
            rerank,
            read,
            eval: EvalSettings::default(),
            judge: JudgeSettings::default(),
            price: PriceSettings::default(),
            ablate: AblateSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the settings file and lays the flags of every command over it.
    pub fn load(common: &Common) -> Result<Self> {
        let mut settings = match &common.config {
            Some(path) => read(path)?,
            None => match Path::new("fiel.toml") {
                path if path.is_file() => read(path)?,
                _ => Self::default(),
            },
        };
        settings.device = common.device.unwrap_or(settings.device);
        Ok(settings)
    }

    pub fn pipeline(&self) -> PipelineSettings {
        PipelineSettings {
            device: self.device,
            chunk: self.chunk.clone(),
            embed: self.embed.clone(),
            retrieve: self.retrieve.clone(),
            rewrite: self.rewrite.clone(),
            rerank: self.rerank.clone(),
            read: self.read.clone(),
        }
    }

    /// With the guard of a gold set, unless there is one of its own.
    pub fn with_guard(mut self, guard: Option<GuardSettings>) -> Self {
        self.read.guard = self.read.guard.or(guard);
        self
    }

    pub fn apply_pipeline(&mut self, args: &PipelineArgs) {
        if let Some(kb) = &args.kb {
            self.kb.clone_from(kb);
        }
        self.chunk.kind = args.chunker.unwrap_or(self.chunk.kind);
        self.chunk.size = args.chunk_size.unwrap_or(self.chunk.size);
        if let Some(model) = &args.embedder {
            self.embed.model.clone_from(model);
        }
        self.retrieve.mode = args.mode.unwrap_or(self.retrieve.mode);
        self.retrieve.dense = args.dense.unwrap_or(self.retrieve.dense);
        self.retrieve.fusion = args.fusion.unwrap_or(self.retrieve.fusion);
        self.rewrite.method = args.rewrite.unwrap_or(self.rewrite.method);
        self.rerank.method = args.rerank.unwrap_or(self.rerank.method);
    }

    pub fn apply_reader(&mut self, args: &ReaderArgs) {
        if let Some(model) = &args.reader {
            self.read.model.clone_from(model);
        }
        self.read.context_k = args.context_k.unwrap_or(self.read.context_k);
    }

    fn apply_questions(&mut self, args: &QuestionArgs, chunker: Option<ChunkKind>) {
        if let Some(gold) = &args.gold {
            self.gold.clone_from(gold);
        }
        if args.beir.is_some() {
            // The collections judge documents, and their measures look at a hundred of them.
            self.chunk.kind = chunker.unwrap_or(ChunkKind::Document);
            self.retrieve.top_k = self.retrieve.top_k.max(100);
            self.retrieve.depth = self.retrieve.depth.max(self.retrieve.top_k);
        }
    }

    pub fn apply_ablate(&mut self, args: &AblateArgs) {
        self.apply_pipeline(&args.pipeline);
        self.apply_reader(&args.reader);
        self.apply_questions(&args.questions, args.pipeline.chunker);
        self.eval.modes.clone_from(&args.modes);
        self.eval.modes.sort_unstable();
        self.eval.modes.dedup();
    }

    pub fn apply_eval(&mut self, args: &EvalArgs) {
        self.apply_pipeline(&args.pipeline);
        self.apply_reader(&args.reader);
        self.apply_questions(&args.questions, args.pipeline.chunker);
        match &args.modes {
            Some(modes) => self.eval.modes.clone_from(modes),
            None if args.questions.beir.is_some() => self.eval.modes = vec![EvalMode::Retrieval],
            None => {}
        }
        self.eval.repeat = args.repeat.map_or(self.eval.repeat, usize::from);
        self.read.temperature = args.temperature.unwrap_or(self.read.temperature);
        self.eval.distractors = args.distractors.unwrap_or(self.eval.distractors);
        self.eval.modes.sort_unstable();
        self.eval.modes.dedup();
    }
}

fn read(path: &Path) -> Result<Settings> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_refused_at_every_level() {
        for text in [
            "kbb = 1",
            "[retrieve]\ncolour = 1",
            "[read]\nheat = 1",
            "[eval]\nx = 1",
        ] {
            let message = toml::from_str::<Settings>(text)
                .expect_err(text)
                .to_string();
            assert!(message.contains("unknown field"), "{message}");
        }
        let settings: Settings = toml::from_str("[retrieve]\nmode = \"bm25\"\n").expect("valid");
        assert_eq!(settings.retrieve.mode, fiel_retrieval::Mode::Bm25);
        assert_eq!(settings.retrieve.top_k, 10);
    }
}
