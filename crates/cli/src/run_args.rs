//! Arguments of the commands that read stored runs or score other systems.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};
use fiel_eval::JudgeMethod;
use fiel_report::{PageLang, Written};

use crate::args::{SplitArg, setting};

#[derive(ClapArgs, Debug)]
#[command(after_help = "Examples:\n  fiel runs\n  fiel runs --json | jq '.[-1].means'")]
pub struct RunsArgs {
    /// At most N, the newest
    #[arg(short, long, value_name = "N")]
    pub last: Option<usize>,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel show last\n  fiel show last v-eat-past-participle\n  \
    fiel show 20260131 --tags\n\nRUN is an id as `fiel runs` lists it, the beginning of one, a folder, or `last`."
)]
pub struct ShowArgs {
    /// The run
    pub run: String,
    /// Id of a question: its hits, context, prompt, answer, claims and class
    pub question: Option<String>,
    /// The main measures by tag
    #[arg(long, conflicts_with = "question")]
    pub tags: bool,
    /// Knowledge base to show texts from [default: that of the run]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel diagnose\n  fiel diagnose last --markdown diagnosis.md\n\n\
    Each wrong answer is read again from the evidence alone, without its distractors, with the evidence \
    first, from each leg alone, and without the evidence. The run's own settings and the cache of answers \
    are used; the result is kept beside the run as diagnosis.json and shown by `fiel report`."
)]
pub struct DiagnoseArgs {
    /// The run
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set of the run [default: the one it names]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Knowledge base of the run [default: the one it names]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
    /// Write it as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel report last\n  fiel report 20260131-101500 last --lang es -o report.html\n\n\
    Of several runs the others are compared with the first, a single one with gold/NAME.baseline.csv. \
    The page opens with the last one named."
)]
pub struct ReportArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<String>,
    /// Language that the page opens in; its reader can switch: en, es
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub lang: PageLang,
    /// The file to write [default: report.html in the folder of the last run]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Knowledge base to show texts from [default: that of the run]
    #[arg(long, value_name = "NAME|DIR")]
    pub kb: Option<String>,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Examples:\n  fiel compare 20260131-101500 last\n  \
    fiel compare A B --measures e2e.F1,retrieval.hit@5\n\nDifferences are B − A over the questions of both runs, with \
    95 % paired bootstrap intervals.")]
pub struct CompareArgs {
    /// The run compared against
    pub a: String,
    /// The run compared
    pub b: String,
    /// Only these measures, by name or as MODE.MEASURE: the family that Holm corrects over
    #[arg(long, value_delimiter = ',', value_name = "MEASURES")]
    pub measures: Vec<String>,
    /// Compare runs of different gold sets or knowledge bases all the same
    #[arg(long)]
    pub force: bool,
}

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  fiel gate\n  fiel gate last --junit gate.xml --markdown gate.md\n\n\
    A regression: the paired 95 % interval of the difference to gold/NAME.baseline.csv lies wholly below 0.\n\
    Exit status: 0 passed, 1 a regression or a missed target, 2 error."
)]
pub struct GateArgs {
    /// The run
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set whose baseline it is held against [default: that of the run]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
    /// Compare with a baseline of another gold set or knowledge base all the same
    #[arg(long)]
    pub force: bool,
    /// Write the checks as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a summary as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:\n  fiel bless last && git add gold/verbs.baseline.csv")]
pub struct BlessArgs {
    /// The run that becomes the baseline
    #[arg(default_value = "last")]
    pub run: String,
    /// Gold set whose baseline is written [default: that of the run]
    #[arg(long, value_name = "NAME|FILE")]
    pub gold: Option<String>,
}

#[derive(ClapArgs, Debug)]
#[command(
    group = ArgGroup::new("input").required(true).args(["trec_run", "answers"]),
    after_help = "Examples:\n  fiel score --qrels qrels.txt --run bm25.run --measures nDCG@10,AP\n  \
    fiel score --gold verbs --answers answers.jsonl --note \"our pipeline\"\n\n\
    A line of --answers is a JSON object with `id` or `question`, and `contexts` (texts, or objects with \
    `id` and `text`), `answer`, or both; `citations` may list ids or numbers of contexts. The names of \
    ragas are read as well: user_input, retrieved_contexts, response; references are those of the gold \
    set.\nClaims are judged as `eval` judges them, by [judge] of fiel.toml, so grounding and hallucination \
    are measured with the embedder unless --judge none is given: then no model is loaded, and only the \
    measures by words are taken.\nWhat is scored is stored as a run: `fiel show`, `compare`, `gate` and `export` work on it."
)]
pub struct ScoreArgs {
    /// Judgements in TREC's format
    #[arg(long, value_name = "FILE", requires = "trec_run")]
    pub qrels: Option<PathBuf>,
    /// A run in TREC's format
    #[arg(id = "trec_run", long = "run", value_name = "FILE", requires = "qrels")]
    pub run: Option<PathBuf>,
    /// Measures of a TREC run, separated by commas [default: all of ranking]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "MEASURES",
        requires = "trec_run"
    )]
    pub measures: Vec<String>,
    /// Contexts and answers of another system, JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "trec_run")]
    pub answers: Option<PathBuf>,
    /// What grounding and hallucination are measured by: none, grounded, llm; none also leaves the
    /// judged qualities out [default: judge.method, else grounded]
    #[arg(long, value_name = "METHOD", value_parser = setting::<JudgeMethod>, conflicts_with = "trec_run")]
    pub judge: Option<JudgeMethod>,
    /// Gold set that the answers are for: a name below gold/ or a .jsonl file [default: verbs]
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "trec_run")]
    pub gold: Option<String>,
    /// Knowledge base of the gold set [default: the one it names]
    #[arg(long, value_name = "NAME|DIR", conflicts_with = "trec_run")]
    pub kb: Option<String>,
    /// Part of the gold set
    #[arg(long, value_enum, default_value = "test", conflicts_with = "trec_run")]
    pub split: SplitArg,
    /// Only the question with this id, or those with this tag; may be repeated
    #[arg(long, value_name = "ID|TAG", conflicts_with = "trec_run")]
    pub only: Vec<String>,
    /// A note about this run, shown by `fiel runs`
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

#[derive(ClapArgs, Debug)]
#[command(
    group = ArgGroup::new("format").required(true).multiple(true).args(["trec", "csv"]),
    after_help = "Examples:\n  fiel export last --trec out/   writes out/run.trec and out/qrels.trec\n  \
    fiel export last --csv last.csv"
)]
pub struct ExportArgs {
    /// The run
    pub run: String,
    /// Write run.trec and qrels.trec into this folder; trec_eval -c scores them the same
    #[arg(long, value_name = "DIR")]
    pub trec: Option<PathBuf>,
    /// Write a row a question with every measure
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Examples:\n  fiel schema\n  fiel schema record > record.schema.json")]
pub struct SchemaArgs {
    /// What is described [default: a list of all]
    #[arg(value_name = "NAME")]
    pub name: Option<Written>,
}
