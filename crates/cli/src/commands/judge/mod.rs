mod bench;

use anyhow::Result;
use clap::Subcommand;

use crate::{args::Common, commands::Verdict, settings::Settings};

#[derive(Subcommand, Debug)]
pub enum JudgeCommand {
    /// Measure scorers on a file of labelled claims: AUROC, F1, cost
    Bench(bench::BenchArgs),
}

pub fn run(command: &JudgeCommand, settings: &Settings, common: &Common) -> Result<Verdict> {
    match command {
        JudgeCommand::Bench(args) => bench::run(args, settings, common),
    }
}
