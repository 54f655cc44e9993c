mod bench;
mod calibrate;
mod label;

use anyhow::Result;
use clap::Subcommand;

use crate::{args::Common, commands::Verdict, settings::Settings};

#[derive(Subcommand, Debug)]
pub enum JudgeCommand {
    /// Measure scorers on a file of labelled claims: AUROC, F1, cost
    Bench(bench::BenchArgs),
    /// Label claims of a run, blind to what the scorers say
    Label(label::LabelArgs),
    /// Hold the scorers against the labels: agreement, kappa, thresholds
    Calibrate(calibrate::CalibrateArgs),
}

pub fn run(command: &JudgeCommand, settings: &Settings, common: &Common) -> Result<Verdict> {
    match command {
        JudgeCommand::Bench(args) => bench::run(args, settings, common),
        JudgeCommand::Label(args) => label::run(args, common),
        JudgeCommand::Calibrate(args) => calibrate::run(args, settings, common),
    }
}
