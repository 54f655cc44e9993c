use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use fiel_corpus::ChunkKind;
use fiel_eval::{EvalMode, Split};
use fiel_metrics::Lang;
use fiel_models::DeviceChoice;
use fiel_retrieval::{DenseChoice, Fusion, Mode, RerankMethod, RewriteMethod};
use serde::de::IntoDeserializer;

use crate::run_args::{
    BlessArgs, CompareArgs, DiagnoseArgs, ExportArgs, GateArgs, ReportArgs, RunsArgs, SchemaArgs,
    ScoreArgs, ShowArgs,
};

use crate::commands::gold::GoldCommand;
use crate::commands::judge::JudgeCommand;

/// A local testbed for retrieval-augmented generation: index, ask, and measure.
#[derive(Parser, Debug)]
#[command(
    name = "fiel",
    version,
    propagate_version = true,
    after_help = "Examples:\n  fiel eval                          measure the default knowledge base\n  \
                  fiel eval --modes retrieval        only retrieval, in seconds\n  \
                  fiel ask \"What is the past participle of eat?\"\n  \
                  fiel search \"past of buy\" --mode bm25\n  fiel ablate                        what each part of retrieval is worth\n  fiel doctor"
)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags of every command.
#[derive(ClapArgs, Debug, Clone)]
pub struct Common {
    /// Settings file [default: fiel.toml, when there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Never use the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// No progress and no notes, only results
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Where models run
    #[arg(long, global = true, value_name = "auto|cpu|cuda|metal")]
    pub device: Option<DeviceChoice>,
    /// Threads [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Measure retrieval, the reader on the evidence alone, and both together
    Eval(EvalArgs),
    /// Compare pipelines on the same questions: a table with a row an arm
    Ablate(AblateArgs),
    /// List stored runs, one a row
    Runs(RunsArgs),
    /// Show a run again, its slices by tag, or all about one question
    Show(ShowArgs),
    /// Show by reruns why the wrong answers of a run are wrong, and what could be won
    Diagnose(DiagnoseArgs),
    /// Write runs as one HTML file that needs nothing else
    Report(ReportArgs),
    /// Compare two runs question by question
    Compare(CompareArgs),
    /// Hold a run against its targets and the committed baseline
    Gate(GateArgs),
    /// Make a run the baseline of its gold set
    Bless(BlessArgs),
    /// Score a TREC run, or the contexts and answers of another system
    Score(ScoreArgs),
    /// Write a run as TREC files or CSV
    Export(ExportArgs),
    /// Print the JSON Schema of what is written
    Schema(SchemaArgs),
    /// Answer a question from the knowledge base, with citations
    Ask(AskArgs),
    /// Show the passages for a question, with the ranks of each leg
    Search(SearchArgs),
    /// Show why a chunk has its place: terms, cosine, ranks, fusion, rerank
    Explain(ExplainArgs),
    /// Cut and embed the knowledge base
    Index(PipelineArgs),
    /// Check, import or write gold questions
    #[command(subcommand)]
    Gold(GoldCommand),
    /// Measure the scorers of faithfulness on labelled claims
    #[command(subcommand)]
    Judge(JudgeCommand),
    /// List, fetch or verify models
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Show what is there and what is missing: models, device, caches
    Doctor(DoctorArgs),
    /// Delete generated files; with --dry-run only show their sizes
    Clean(CleanArgs),
}

/// What decides which passages are found.
#[derive(ClapArgs, Debug, Clone, Default)]
pub struct PipelineArgs {
    /// Knowledge base: a name below kb/ or a folder [default: verbs]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
    /// Where documents are cut: structure, fixed, sentence, parent, document
    #[arg(long, value_name = "KIND", value_parser = setting::<ChunkKind>)]
    pub chunker: Option<ChunkKind>,
    /// Word pieces of a chunk
    #[arg(long, value_name = "N")]
    pub chunk_size: Option<usize>,
    /// Embedder: a model id, a folder, or OWNER/NAME of the hub
    #[arg(long, value_name = "MODEL")]
    pub embedder: Option<String>,
    /// Legs that find passages: vector, bm25, hybrid
    #[arg(long, value_name = "LEGS", value_parser = setting::<Mode>)]
    pub mode: Option<Mode>,
    /// How the dense leg searches: auto, exact, hnsw
    #[arg(long, value_name = "SEARCH", value_parser = setting::<DenseChoice>)]
    pub dense: Option<DenseChoice>,
    /// How the legs are fused: rrf, minmax, zscore
    #[arg(long, value_name = "METHOD", value_parser = setting::<Fusion>)]
    pub fusion: Option<Fusion>,
    /// What becomes of the question before: none, rm3, typo, llm
    #[arg(long, value_name = "METHOD", value_parser = setting::<RewriteMethod>)]
    pub rewrite: Option<RewriteMethod>,
    /// What reorders the passages found: none, late, cross-encoder, llm
    #[arg(long, value_name = "METHOD", value_parser = setting::<RerankMethod>)]
    pub rerank: Option<RerankMethod>,
}

/// A value as the settings file spells it.
pub fn setting<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let value: Result<T, serde::de::value::Error> = T::deserialize(text.into_deserializer());
    value.map_err(|e| e.to_string())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SplitArg {
    Dev,
    Test,
    All,
}

impl SplitArg {
    /// The part it stands for; `None`: both.
    pub fn split(self) -> Option<Split> {
        match self {
            Self::Dev => Some(Split::Dev),
            Self::Test => Some(Split::Test),
            Self::All => None,
        }
    }
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel eval\n  fiel eval --modes retrieval --split all\n  \
    fiel eval --only style:typos --limit 5\n  fiel eval --resume\n  fiel eval --gold my/gold.jsonl --kb my/docs --reader extractive\n\n\
    Exit status: 0 done, 1 a target was missed and --gate was given, 2 error."
)]
pub struct EvalArgs {
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// Modes, separated by commas: retrieval, oracle, e2e [default: all three; with --beir: retrieval]
    #[arg(long, value_delimiter = ',', value_name = "MODES")]
    pub modes: Option<Vec<EvalMode>>,
    /// Best other passages beside the evidence in oracle mode
    #[arg(long, value_name = "N")]
    pub distractors: Option<usize>,
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Read each question N times, past the cache from the second time on, and report the spread;
    /// needs a temperature
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub repeat: Option<u16>,
    /// How freely the reader draws its tokens [default: 0, always the likeliest]
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
    /// End with status 1 when a target is missed
    #[arg(long)]
    pub gate: bool,
    /// Resume a run that was killed or stopped: the newest with these settings, or the one named
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "last")]
    pub resume: Option<String>,
    /// A note about this run, shown by `fiel runs`
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// What is asked.
#[derive(ClapArgs, Debug, Clone)]
pub struct QuestionArgs {
    /// Gold set: a name below gold/ or a .jsonl file [default: verbs]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// A folder as BEIR has it, documents and questions in one; a chunk a document unless --chunker
    /// is given
    #[arg(long, value_name = "DIR", conflicts_with_all = ["gold", "kb"])]
    pub beir: Option<PathBuf>,
    /// Language of the BEIR folder: en, es
    #[arg(long, value_name = "LANG", default_value = "en", requires = "beir")]
    pub lang: Lang,
    /// Part of the gold set: dev, test, all; with --beir the name of a file in qrels/
    #[arg(long, value_name = "SPLIT", default_value = "test")]
    pub split: String,
    /// At most N questions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Only the question with this id, or those with this tag; may be repeated
    #[arg(long, value_name = "ID|TAG")]
    pub only: Vec<String>,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel ablate\n  fiel ablate --gold laboral --split dev --markdown table.md\n  \
    fiel ablate --beir scifact --split test --measures nDCG@10,R@100\n  fiel ablate --modes retrieval,e2e --arm hybrid --arm \"hybrid + late\"\n\n\
    The arms are those of [ablate] in fiel.toml, else vector, bm25, hybrid, hybrid + late, and hybrid + late + typo:\n\n  \
    [ablate.matrix]                      every combination is an arm\n  \"chunk.size\" = [64, 128, 256]\n  \
    \"retrieve.mode\" = [\"bm25\", \"hybrid\"]\n\n  [[ablate.arm]]                       further arms, one by one\n  \
    name = \"late, 50 deep\"\n  set = { \"rerank.method\" = \"late\", \"rerank.depth\" = 50 }\n\n\
    Every arm is stored as a run."
)]
pub struct AblateArgs {
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub questions: QuestionArgs,
    /// Modes, separated by commas: retrieval, oracle, e2e
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "MODES",
        default_value = "retrieval"
    )]
    pub modes: Vec<EvalMode>,
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Only the arm of this name; may be repeated. The first one that is left is compared against
    #[arg(long = "arm", value_name = "NAME")]
    pub arms: Vec<String>,
    /// Only these measures, by name or as MODE.MEASURE: the family that Holm corrects over
    #[arg(long, value_delimiter = ',', value_name = "MEASURES")]
    pub measures: Vec<String>,
    /// Write the table as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel explain \"past of buy\"\n  fiel explain \"past of buy\" verb-bring#2"
)]
pub struct ExplainArgs {
    /// The question
    pub question: String,
    /// Id of a chunk, or of a document, whose place is wanted [default: the passages found]
    pub chunk: Option<String>,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    /// Passages explained
    #[arg(
        short,
        long,
        value_name = "K",
        default_value_t = 3,
        conflicts_with = "chunk"
    )]
    pub k: usize,
}

#[derive(ClapArgs, Debug, Clone, Default)]
pub struct ReaderArgs {
    /// Reader: a model id, the path of a GGUF file, or `extractive`
    #[arg(long, value_name = "MODEL")]
    pub reader: Option<String>,
    /// Passages that are read
    #[arg(long, value_name = "K")]
    pub context_k: Option<usize>,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:\n  fiel ask \"How do I say 'había comido'?\"")]
pub struct AskArgs {
    /// The question
    pub question: String,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Language of the question: en, es [default: es with ¿ or ¡, else that of the knowledge base]
    #[arg(long)]
    pub lang: Option<String>,
    /// Answer anew, past the cache
    #[arg(long)]
    pub fresh: bool,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:\n  fiel search \"past of buy\" -k 3")]
pub struct SearchArgs {
    /// The question
    pub question: String,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    /// Passages shown
    #[arg(short, long, value_name = "K")]
    pub k: Option<usize>,
}

#[derive(Subcommand, Debug)]
pub enum ModelsCommand {
    /// Show every model, its size, and where it lies
    List,
    /// Fetch models: those of the settings, or the ones named
    Fetch {
        /// Ids of models
        ids: Vec<String>,
    },
    /// Hash every file of the models that are present, or of the ones named
    Verify {
        /// Ids of models
        ids: Vec<String>,
    },
}

#[derive(ClapArgs, Debug)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub pipeline: PipelineArgs,
}

#[derive(ClapArgs, Debug)]
pub struct CleanArgs {
    /// Only show what would be deleted
    #[arg(long)]
    pub dry_run: bool,
    /// Delete the stored runs as well
    #[arg(long)]
    pub runs: bool,
}
