use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use fiel_eval::{EvalMode, Split};
use fiel_models::DeviceChoice;

use crate::run_args::{
    BlessArgs, CompareArgs, ExportArgs, GateArgs, RunsArgs, ScoreArgs, ShowArgs,
};

use crate::commands::gold::GoldCommand;

/// A local testbed for retrieval-augmented generation: index, ask, and measure.
#[derive(Parser, Debug)]
#[command(
    name = "fiel",
    version,
    propagate_version = true,
    after_help = "Examples:\n  fiel eval                          measure the default knowledge base\n  \
                  fiel eval --modes retrieval        only retrieval, in seconds\n  \
                  fiel ask \"What is the past participle of eat?\"\n  \
                  fiel search \"past of buy\" --mode bm25\n  fiel doctor"
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
    /// List stored runs, one a row
    Runs(RunsArgs),
    /// Show a run again, its slices by tag, or all about one question
    Show(ShowArgs),
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
    /// Answer a question from the knowledge base, with citations
    Ask(AskArgs),
    /// Show the passages for a question, with the ranks of each leg
    Search(SearchArgs),
    /// Cut and embed the knowledge base
    Index(PipelineArgs),
    /// Check, import or write gold questions
    #[command(subcommand)]
    Gold(GoldCommand),
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
    /// Legs that find passages
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// How the dense leg searches
    #[arg(long, value_enum)]
    pub dense: Option<DenseArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ModeArg {
    Vector,
    Bm25,
    Hybrid,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DenseArg {
    Auto,
    Exact,
    Hnsw,
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
    /// Gold set: a name below gold/ or a .jsonl file [default: verbs]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Modes, separated by commas: retrieval, oracle, e2e [default: all three]
    #[arg(long, value_delimiter = ',', value_name = "MODES")]
    pub modes: Option<Vec<EvalMode>>,
    /// Part of the gold set
    #[arg(long, value_enum, default_value = "test")]
    pub split: SplitArg,
    /// At most N questions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Only the question with this id, or those with this tag; may be repeated
    #[arg(long, value_name = "ID|TAG")]
    pub only: Vec<String>,
    /// Best other passages beside the evidence in oracle mode
    #[arg(long, value_name = "N")]
    pub distractors: Option<usize>,
    #[command(flatten)]
    pub reader: ReaderArgs,
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
