//! The folders below `.fiel/`.

use std::path::{Path, PathBuf};

/// Name of the folder that holds every generated file.
pub const GENERATED: &str = ".fiel";

/// A folder below [`GENERATED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratedFolder {
    /// Vectors by the digest of their text.
    Embeddings,
    /// HNSW graphs.
    Graphs,
    /// Answers of language models.
    Answers,
    /// Evaluation runs.
    Runs,
}

impl GeneratedFolder {
    /// Every folder, in the order in which `fiel clean` and `fiel doctor` list them.
    pub const ALL: [Self; 4] = [Self::Embeddings, Self::Graphs, Self::Answers, Self::Runs];

    /// Name of the folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embeddings => "embeddings",
            Self::Graphs => "graphs",
            Self::Answers => "answers",
            Self::Runs => "runs",
        }
    }

    /// Path of the folder, where `generated` is the folder for generated files.
    pub fn path(self, generated: &Path) -> PathBuf {
        generated.join(self.name())
    }

    /// Whether Fiel rebuilds the contents when needed. Runs are not a cache: reports may cite
    /// their figures.
    pub const fn is_cache(self) -> bool {
        !matches!(self, Self::Runs)
    }
}
