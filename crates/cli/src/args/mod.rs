//! Flags that several commands share. The flags of one command are in the file of the command.

mod measures;

use std::path::PathBuf;

use clap::Args;
use fiel_corpus::ChunkKind;
use fiel_models::DeviceChoice;
use fiel_retrieval::{DenseChoice, Fusion, Mode, RerankMethod, RewriteMethod};
use fiel_text::Lang;
use serde::de::{DeserializeOwned, IntoDeserializer};

pub use measures::MeasureFilter;

/// Flags of every command.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Global options")]
pub struct Common {
    /// Settings file [default: fiel.toml, if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Never use the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Leave out documents that cannot be read
    #[arg(long, global = true)]
    pub skip_bad: bool,
    /// Print results only: no progress, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print JSON to standard output (`fiel schema` describes it)
    #[arg(long, global = true)]
    pub json: bool,
    /// Device that runs the models: auto, cpu, cuda, metal [default: auto]
    #[arg(long, global = true, value_name = "DEVICE")]
    pub device: Option<DeviceChoice>,
    /// Number of threads, 1 to 1024 [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Flags that decide which passages are found.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Retrieval options")]
pub struct PipelineArgs {
    /// Knowledge base: a name under kb/ or a folder [default: verbs]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
    /// How to cut documents into chunks: structure, fixed, sentence, parent, document
    /// [default: structure]
    #[arg(long, value_name = "KIND", value_parser = setting::<ChunkKind>)]
    pub chunker: Option<ChunkKind>,
    /// Size of a chunk in word pieces of the embedder [default: 128]
    #[arg(long, value_name = "N")]
    pub chunk_size: Option<usize>,
    /// Embedding model: an id, a folder, or OWNER/NAME on the Hugging Face Hub
    /// [default: all-MiniLM-L6-v2]
    #[arg(long, value_name = "MODEL")]
    pub embedder: Option<String>,
    /// Search by vectors, BM25 or both: vector, bm25, hybrid [default: hybrid]
    #[arg(long, value_name = "MODE", value_parser = setting::<Mode>)]
    pub mode: Option<Mode>,
    /// Dense search: auto, exact, hnsw [default: auto, which is exact up to 20,000 chunks]
    #[arg(long, value_name = "SEARCH", value_parser = setting::<DenseChoice>)]
    pub dense: Option<DenseChoice>,
    /// How to fuse the lists of the legs: rrf, minmax, zscore [default: rrf]
    #[arg(long, value_name = "METHOD", value_parser = setting::<Fusion>)]
    pub fusion: Option<Fusion>,
    /// How to rewrite the question before the search: none, rm3, typo, llm [default: none]
    #[arg(long, value_name = "METHOD", value_parser = setting::<RewriteMethod>)]
    pub rewrite: Option<RewriteMethod>,
    /// How to reorder the passages found: none, late, cross-encoder, llm [default: none]
    #[arg(long, value_name = "METHOD", value_parser = setting::<RerankMethod>)]
    pub rerank: Option<RerankMethod>,
}

/// Flags of the reader.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Reader options")]
pub struct ReaderArgs {
    /// Reader: a model id, the path of a GGUF file, or `extractive`
    /// [default: qwen2.5-coder-1.5b-instruct-q4_k_m]
    #[arg(long, value_name = "MODEL")]
    pub reader: Option<String>,
    /// Number of passages in the prompt, 1 to retrieve.top_k [default: 3]
    #[arg(long, value_name = "K")]
    pub context_k: Option<usize>,
}

/// Flags that choose the questions.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Question options")]
pub struct QuestionArgs {
    /// Gold set: a name under gold/ or a .jsonl file [default: verbs]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Folder in BEIR format with documents and questions; one chunk per document unless --chunker
    /// is given
    #[arg(long, value_name = "DIR", conflicts_with_all = ["gold", "kb"])]
    pub beir: Option<PathBuf>,
    /// Language of the BEIR folder: en, es
    #[arg(long, value_name = "LANG", default_value = "en", requires = "beir")]
    pub lang: Lang,
    /// Split of the gold set: dev, test, all; with --beir, the name of a file in qrels/
    #[arg(long, value_name = "SPLIT", default_value = "test")]
    pub split: String,
    /// Ask at most N questions, chosen by a hash of their ids [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Ask only the question with this id, or those with this tag; repeatable
    #[arg(long, value_name = "ID|TAG")]
    pub only: Vec<String>,
}

/// Parses a flag as the settings file spells its value.
///
/// # Errors
/// If the value is not an allowed one; the message lists those.
pub fn setting<T: DeserializeOwned>(text: &str) -> Result<T, serde::de::value::Error> {
    T::deserialize(text.into_deserializer())
}
