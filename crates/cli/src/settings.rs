use std::path::Path;

use anyhow::{Context, Result};
use fiel_eval::{EvalSettings, PriceSettings};
use fiel_reader::{ChunkSettings, EmbedSettings, PipelineSettings, ReadSettings};
use fiel_retrieval::{DenseChoice, Mode, RetrieveSettings};
use serde::{Deserialize, Serialize};

use crate::args::{Common, DenseArg, EvalArgs, ModeArg, PipelineArgs, ReaderArgs};

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
    pub read: ReadSettings,
    pub eval: EvalSettings,
    pub price: PriceSettings,
}

impl Default for Settings {
    fn default() -> Self {
        let PipelineSettings {
            device,
            chunk,
            embed,
            retrieve,
            read,
        } = PipelineSettings::default();
        Self {
            kb: "verbs".to_owned(),
            gold: "verbs".to_owned(),
            device,
            chunk,
            embed,
            retrieve,
            read,
            eval: EvalSettings::default(),
            price: PriceSettings::default(),
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
            read: self.read.clone(),
        }
    }

    pub fn apply_pipeline(&mut self, args: &PipelineArgs) {
        if let Some(kb) = &args.kb {
            self.kb.clone_from(kb);
        }
        if let Some(mode) = args.mode {
            self.retrieve.mode = match mode {
                ModeArg::Vector => Mode::Vector,
                ModeArg::Bm25 => Mode::Bm25,
                ModeArg::Hybrid => Mode::Hybrid,
            };
        }
        if let Some(dense) = args.dense {
            self.retrieve.dense = match dense {
                DenseArg::Auto => DenseChoice::Auto,
                DenseArg::Exact => DenseChoice::Exact,
                DenseArg::Hnsw => DenseChoice::Hnsw,
            };
        }
    }

    pub fn apply_reader(&mut self, args: &ReaderArgs) {
        if let Some(model) = &args.reader {
            self.read.model.clone_from(model);
        }
        self.read.context_k = args.context_k.unwrap_or(self.read.context_k);
    }

    pub fn apply_eval(&mut self, args: &EvalArgs) {
        self.apply_pipeline(&args.pipeline);
        self.apply_reader(&args.reader);
        if let Some(gold) = &args.gold {
            self.gold.clone_from(gold);
        }
        if let Some(modes) = &args.modes {
            self.eval.modes.clone_from(modes);
        }
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
            "[read]\ntemperature = 1",
            "[eval]\nx = 1",
        ] {
            let message = toml::from_str::<Settings>(text)
                .expect_err(text)
                .to_string();
            assert!(message.contains("unknown field"), "{message}");
        }
        let settings: Settings = toml::from_str("[retrieve]\nmode = \"bm25\"\n").expect("valid");
        assert_eq!(settings.retrieve.mode, Mode::Bm25);
        assert_eq!(settings.retrieve.top_k, 10);
    }
}
