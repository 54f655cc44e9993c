//! The commands of the program and their dispatch.

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    args::Common,
    commands::{
        ablate, ask, bless, clean, compare, completions, diagnose, doctor, eval, explain, export,
        gate, gold, index, judge, man, models, report, runs, schema, score, search, show,
    },
    verdict::Verdict,
};

/// Evaluate retrieval-augmented generation locally: index, ask, measure, compare
#[derive(Parser, Debug)]
#[command(
    name = "fiel",
    version,
    propagate_version = true,
    after_help = "Examples:\n  fiel eval                          Evaluate the default knowledge base\n  \
                  fiel eval --modes retrieval        Evaluate retrieval only, in seconds\n  \
                  fiel ask \"What is the past participle of eat?\"\n  \
                  fiel search \"past of buy\" --mode bm25\n  \
                  fiel ablate                        Compare retrieval variants\n  \
                  fiel doctor                        Check models, device and caches\n\n\
                  Defaults apply where neither a flag nor the settings file gives a value.\n\
                  A RUN is an id that `fiel runs` lists, a prefix of one, a folder, or `last`.\n\
                  Exit status: 0 done, 1 below the gate, 2 error."
)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Evaluate retrieval, the reader on oracle context, and both end to end
    Eval(eval::EvalArgs),
    /// Compare variants of the settings on the same questions
    Ablate(ablate::AblateArgs),
    /// List stored runs
    Runs(runs::RunsArgs),
    /// Show a stored run, its measures by tag, or one question in full
    Show(show::ShowArgs),
    /// Find the cause of each wrong answer of a run, and what fixing it would gain
    Diagnose(diagnose::DiagnoseArgs),
    /// Write a self-contained HTML report of one or more runs
    Report(report::ReportArgs),
    /// Compare two runs question by question
    Compare(compare::CompareArgs),
    /// Check a run against its targets and the committed baseline
    Gate(gate::GateArgs),
    /// Make a run the baseline of its gold set
    Bless(bless::BlessArgs),
    /// Score a TREC run, or the contexts and answers of another system
    Score(score::ScoreArgs),
    /// Write a run as TREC files or CSV
    Export(export::ExportArgs),
    /// Print the JSON Schema of a stored file or of the output of --json
    Schema(schema::SchemaArgs),
    /// Answer a question from the knowledge base, with citations
    Ask(ask::AskArgs),
    /// Show the passages found for a question, with their ranks in BM25 and dense search
    Search(search::SearchArgs),
    /// Explain the rank of a chunk: terms, cosine, fusion, reranking
    Explain(explain::ExplainArgs),
    /// Cut a knowledge base into chunks and embed them
    Index(index::IndexArgs),
    /// Check, import or write gold questions
    #[command(subcommand)]
    Gold(gold::GoldCommand),
    /// Measure and calibrate the scorers of faithfulness
    #[command(subcommand)]
    Judge(judge::JudgeCommand),
    /// List, fetch or verify models
    #[command(subcommand)]
    Models(models::ModelsCommand),
    /// Check what a run needs: device, models, knowledge base, gold set
    Doctor(doctor::DoctorArgs),
    /// Delete generated files, or show their sizes
    Clean(clean::CleanArgs),
    /// Print a shell completion script
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write one page per command
    Man(man::ManArgs),
}

pub fn run(cli: Cli) -> Result<Verdict> {
    let Cli { common, command } = cli;
    if let Some(threads) = common.threads {
        // Rayon and the thread pools of Candle read it when they are first used.
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { std::env::set_var("RAYON_NUM_THREADS", threads.to_string()) };
    }
    match command {
        Command::Eval(args) => eval::run(&args, &common),
        Command::Ablate(args) => ablate::run(&args, &common),
        Command::Runs(args) => runs::run(&args, &common),
        Command::Show(args) => show::run(&args, &common),
        Command::Diagnose(args) => diagnose::run(&args, &common),
        Command::Report(args) => report::run(&args, &common),
        Command::Compare(args) => compare::run(&args, &common),
        Command::Gate(args) => gate::run(&args, &common),
        Command::Bless(args) => bless::run(&args, &common),
        Command::Score(args) => score::run(&args, &common),
        Command::Export(args) => export::run(&args, &common),
        Command::Schema(args) => schema::run(&args, &common),
        Command::Ask(args) => ask::run(&args, &common),
        Command::Search(args) => search::run(&args, &common),
        Command::Explain(args) => explain::run(&args, &common),
        Command::Index(args) => index::run(&args, &common),
        Command::Gold(command) => gold::run(&command, &common),
        Command::Judge(command) => judge::run(&command, &common),
        Command::Models(command) => models::run(&command, &common),
        Command::Doctor(args) => doctor::run(&args, &common),
        Command::Clean(args) => clean::run(&args, &common),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_plain_help() {
        Cli::command().debug_assert();
        let mut commands = vec![Cli::command()];
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            let name = command.get_name().to_owned();
            if command.get_subcommands().next().is_none() {
                let help = command.get_after_help().map(ToString::to_string);
                assert!(help.is_some_and(|h| h.contains("  fiel ")), "{name}: no example");
            }
            let mut texts = vec![command.get_about().map(ToString::to_string)];
            texts
                .extend(command.get_arguments().map(|arg| arg.get_help().map(ToString::to_string)));
            for text in texts {
                let text = text.unwrap_or_else(|| panic!("{name}: an argument without help"));
                let first = text.chars().next();
                assert!(first.is_some_and(char::is_uppercase), "{name}: {text}");
                assert!(!text.ends_with('.'), "{name}: {text}");
            }
        }
    }
}
