mod ablate;
mod ask;
mod bless;
mod clean;
mod compare;
mod diagnose;
mod doctor;
mod eval;
mod explain;
mod export;
mod gate;
pub mod gold;
mod index;
pub mod judge;
mod models;
mod report;
mod runs;
mod schema;
mod score;
mod search;
mod show;

use anyhow::{Result, bail};

use crate::{
    args::{Args, Command},
    settings::Settings,
};

/// What the exit status says of a command that did its work.
pub enum Verdict {
    Good,
    BelowGate,
}

pub fn run(args: Args) -> Result<Verdict> {
    let Args { common, command } = args;
    if let Some(threads) = common.threads {
        if threads == 0 {
            bail!("--threads is 0: it must be at least 1");
        }
        if threads > 1024 {
            bail!("--threads is {threads}: it may be 1024 at the most");
        }
        // Rayon and the pools of Candle's kernels read it when they are first used.
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { std::env::set_var("RAYON_NUM_THREADS", threads.to_string()) };
    }
    let mut settings = Settings::load(&common)?;
    match command {
        Command::Eval(args) => {
            settings.apply_eval(&args);
            eval::run(&args, &settings, &common)
        }
        Command::Ablate(args) => {
            settings.apply_ablate(&args);
            ablate::run(&args, &settings, &common)
        }
        Command::Explain(args) => {
            settings.apply_pipeline(&args.pipeline);
            explain::run(&args, settings, &common)
        }
        Command::Runs(args) => runs::run(&args, &common),
        Command::Show(args) => show::run(&args, &common),
        Command::Diagnose(args) => diagnose::run(&args, &settings, &common),
        Command::Report(args) => report::run(&args, &settings, &common),
        Command::Compare(args) => compare::run(&args, &settings, &common),
        Command::Gate(args) => gate::run(&args, &settings, &common),
        Command::Bless(args) => bless::run(&args, &common),
        Command::Score(args) => score::run(&args, &settings, &common),
        Command::Export(args) => export::run(&args, &common),
        Command::Schema(args) => schema::run(&args, &common),
        Command::Ask(args) => {
            settings.apply_pipeline(&args.pipeline);
            settings.apply_reader(&args.reader);
            ask::run(&args, &settings, &common)
        }
        Command::Search(args) => {
            settings.apply_pipeline(&args.pipeline);
            search::run(&args, settings, &common)
        }
        Command::Index(args) => {
            settings.apply_pipeline(&args);
            index::run(&settings, &common)
        }
        Command::Gold(command) => gold::run(&command, &settings, &common),
        Command::Judge(command) => judge::run(&command, &settings, &common),
        Command::Models(command) => models::run(&command, &settings, &common),
        Command::Doctor(args) => {
            settings.apply_pipeline(&args.pipeline);
            doctor::run(&settings, &common, args.pipeline.kb.is_some())
        }
        Command::Clean(args) => clean::run(&args, &common),
    }
}
