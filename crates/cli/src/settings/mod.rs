//! Settings: defaults, overlaid by the settings file, overlaid by the command line.

mod ablate;
mod options;

use std::path::Path;

use anyhow::{Context, Result, bail};
use fiel_corpus::ChunkKind;
use fiel_eval::{EvalSettings, JudgeSettings};
use fiel_models::DeviceChoice;
use fiel_reader::{AbstainSettings, EmbedSettings, PipelineSettings, ReadSettings};
use fiel_record::{EvalMode, GuardSettings};
use fiel_retrieval::{ChunkSettings, RerankSettings, RetrieveSettings, RewriteSettings};
use fiel_runs::PriceSettings;
use serde::{Deserialize, Serialize};

use crate::args::Common;

pub use ablate::{AblateSettings, VariantSettings};
pub use options::Options;

/// Every key of `fiel.toml`. `docs/settings.md` describes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Knowledge base: a name under `kb/` or a folder.
    pub kb: String,
    /// Gold set: a name under `gold/` or a `.jsonl` file.
    pub gold: String,
    /// Device that runs the models.
    pub device: DeviceChoice,
    pub chunk: ChunkSettings,
    pub embed: EmbedSettings,
    pub retrieve: RetrieveSettings,
    pub rewrite: RewriteSettings,
    pub rerank: RerankSettings,
    pub read: ReadSettings,
    pub abstain: AbstainSettings,
    pub eval: EvalSettings,
    pub judge: JudgeSettings,
    pub price: PriceSettings,
    pub ablate: AblateSettings,
}

impl Default for Settings {
    fn default() -> Self {
        let PipelineSettings { device, chunk, embed, retrieve, rewrite, rerank, read, abstain } =
            PipelineSettings::default();
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
            abstain,
            eval: EvalSettings::default(),
            judge: JudgeSettings::default(),
            price: PriceSettings::default(),
            ablate: AblateSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the settings file and overlays the command line.
    ///
    /// # Errors
    /// If the file cannot be read, or has an unknown key or a value of the wrong type.
    pub fn resolve(common: &Common, options: &Options) -> Result<Self> {
        let default = Path::new("fiel.toml");
        let mut settings = match &common.config {
            Some(path) => read(path)?,
            None if default.is_file() => read(default)?,
            None => Self::default(),
        };
        settings.device = common.device.unwrap_or(settings.device);
        settings.overlay(options);
        Ok(settings)
    }

    fn overlay(&mut self, options: &Options) {
        let Options { pipeline, reader, .. } = options;
        set(&mut self.kb, &pipeline.kb);
        set(&mut self.gold, &options.gold);
        set(&mut self.chunk.kind, &pipeline.chunker);
        set(&mut self.chunk.size, &pipeline.chunk_size);
        set(&mut self.embed.model, &pipeline.embedder);
        set(&mut self.retrieve.mode, &pipeline.mode);
        set(&mut self.retrieve.dense, &pipeline.dense);
        set(&mut self.retrieve.fusion, &pipeline.fusion);
        set(&mut self.rewrite.method, &pipeline.rewrite);
        set(&mut self.rerank.method, &pipeline.rerank);
        set(&mut self.read.model, &reader.reader);
        set(&mut self.read.context_k, &reader.context_k);
        set(&mut self.read.temperature, &options.temperature);
        set(&mut self.eval.distractors, &options.distractors);
        set(&mut self.eval.repeat, &options.repeat);
        if options.beir {
            // BEIR collections judge documents, and their measures look at 100 of them.
            self.chunk.kind = pipeline.chunker.unwrap_or(ChunkKind::Document);
            self.retrieve.top_k = self.retrieve.top_k.max(100);
            self.retrieve.depth = self.retrieve.depth.max(self.retrieve.top_k);
            self.eval.modes = vec![EvalMode::Retrieval];
        }
        set(&mut self.eval.modes, &options.modes);
        self.eval.modes.sort_unstable();
        self.eval.modes.dedup();
        if let Some(k) = options.top_k {
            self.retrieve.top_k = k;
            self.retrieve.depth = self.retrieve.depth.max(k);
            self.read.context_k = self.read.context_k.min(k);
        }
    }

    /// Checks the settings of an evaluation: each value, and values against one another.
    ///
    /// # Errors
    /// Names the key, its value, and the allowed values.
    pub fn check(&self) -> Result<()> {
        self.pipeline().check()?;
        self.price.check().map_err(anyhow::Error::msg)?;
        let eval = &self.eval;
        if eval.modes.is_empty() {
            bail!("eval.modes is empty; expected at least one of retrieval, oracle, e2e");
        }
        if eval.repeat > 1 && self.read.temperature <= 0.0 {
            let repeat = eval.repeat;
            bail!(
                "eval.repeat is {repeat}, but at temperature 0 all answers are equal. Give \
                 --temperature or set read.temperature"
            );
        }
        if eval.distractors >= self.retrieve.top_k {
            let (distractors, top_k) = (eval.distractors, self.retrieve.top_k);
            bail!(
                "eval.distractors is {distractors}: it must be smaller than retrieve.top_k, {top_k}"
            );
        }
        Ok(())
    }

    /// Whether any mode uses the reader.
    pub fn reads(&self) -> bool {
        self.eval.modes.iter().any(|mode| *mode != EvalMode::Retrieval)
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
            abstain: self.abstain.clone(),
        }
    }

    /// The settings with the guard of a gold set, unless they have a guard already.
    pub fn with_guard(mut self, guard: Option<GuardSettings>) -> Self {
        self.read.guard = self.read.guard.or(guard);
        self
    }
}

fn set<T: Clone>(value: &mut T, typed: &Option<T>) {
    if let Some(typed) = typed {
        value.clone_from(typed);
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
        for text in ["kbb = 1", "[retrieve]\ncolour = 1", "[read]\nheat = 1", "[eval]\nx = 1"] {
            let message = toml::from_str::<Settings>(text).expect_err(text).to_string();
            assert!(message.contains("unknown field"), "{message}");
        }
        let settings: Settings = toml::from_str("[retrieve]\nmode = \"bm25\"\n").expect("valid");
        assert_eq!(settings.retrieve.mode, fiel_retrieval::Mode::Bm25);
        assert_eq!(settings.retrieve.top_k, 10);
    }

    #[test]
    fn the_command_line_overrides_the_file() {
        let mut settings: Settings =
            toml::from_str("kb = \"a\"\n[retrieve]\ntop_k = 5\n").expect("valid");
        let typed = Options { beir: true, repeat: Some(2), ..Options::default() };
        settings.overlay(&typed);
        assert_eq!((settings.kb.as_str(), settings.eval.repeat), ("a", 2));
        assert_eq!(settings.chunk.kind, ChunkKind::Document);
        assert_eq!((settings.retrieve.top_k, settings.retrieve.depth), (100, 100));
        assert_eq!(settings.eval.modes, [EvalMode::Retrieval]);
        settings.overlay(&Options {
            modes: Some(vec![EvalMode::E2e, EvalMode::Oracle, EvalMode::E2e]),
            ..typed
        });
        assert_eq!(settings.eval.modes, [EvalMode::Oracle, EvalMode::E2e]);
    }

    #[test]
    fn values_are_checked_against_one_another() {
        let message = |text: &str| {
            let settings: Settings = toml::from_str(text).expect("parses");
            settings.check().err().map(|e| e.to_string()).unwrap_or_default()
        };
        assert_eq!(message(""), "");
        assert!(message("[eval]\nmodes = []").contains("eval.modes is empty"));
        assert!(message("[eval]\nrepeat = 2").contains("at temperature 0"));
        assert!(message("[eval]\ndistractors = 10").contains("smaller than retrieve.top_k"));
        assert!(message("[price]\nprompt_per_million = -1.0").contains("price.prompt_per_million"));
        assert!(message("[read]\ncontext_k = 11").contains("read.context_k is 11"));
    }
}
