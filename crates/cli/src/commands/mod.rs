mod ask;
mod clean;
mod doctor;
mod eval;
mod index;
mod models;
mod search;

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
        // Candle's kernels and ours take their threads from this pool.
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()?;
    }
    let mut settings = Settings::load(&common)?;
    match command {
        Command::Eval(args) => {
            settings.apply_eval(&args);
            eval::run(&args, &settings, &common)
        }
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
        Command::Models(command) => models::run(&command, &settings, &common),
        Command::Doctor(args) => {
            settings.apply_pipeline(&args.pipeline);
            doctor::run(&settings, &common)
        }
        Command::Clean(args) => clean::run(&args, &common),
    }
}
