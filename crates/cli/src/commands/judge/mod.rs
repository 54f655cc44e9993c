//! `fiel judge`: measuring and calibrating the scorers of faithfulness.

mod bench;
mod calibrate;
mod label;

use anyhow::Result;
use clap::Subcommand;

use crate::{args::Common, verdict::Verdict};

#[derive(Subcommand, Debug)]
pub enum JudgeCommand {
    /// Measure scorers on a file of labelled claims: AUROC, F1, cost
    Bench(bench::BenchArgs),
    /// Label claims of a run without seeing the scores
    Label(label::LabelArgs),
    /// Compare the scorers with the labels: agreement, kappa, thresholds
    Calibrate(calibrate::CalibrateArgs),
}

pub fn run(command: &JudgeCommand, common: &Common) -> Result<Verdict> {
    match command {
        JudgeCommand::Bench(args) => bench::run(args, common),
        JudgeCommand::Label(args) => label::run(args, common),
        JudgeCommand::Calibrate(args) => calibrate::run(args, common),
    }
}
