//! `fiel gold`: checking, importing and writing gold sets.

mod calibrate_guard;
mod import;
mod lint;
mod new;
mod person;
mod review;
mod suggest;

use anyhow::Result;
use clap::Subcommand;

use crate::{args::Common, verdict::Verdict};

#[derive(Subcommand, Debug)]
pub enum GoldCommand {
    /// Check a gold set for errors and misleading questions
    Lint(lint::LintArgs),
    /// Import questions from another format
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Calibrate the abstention guard on the dev split
    CalibrateGuard(calibrate_guard::GuardArgs),
    /// Write questions, one passage at a time
    New(new::NewArgs),
    /// Draft questions with the reader's model and review each
    Suggest(Box<suggest::SuggestArgs>),
}

pub fn run(command: &GoldCommand, common: &Common) -> Result<Verdict> {
    match command {
        GoldCommand::Lint(args) => lint::run(args, common),
        GoldCommand::Import(command) => import::run(command, common),
        GoldCommand::CalibrateGuard(args) => calibrate_guard::run(args, common),
        GoldCommand::New(args) => new::run(args, common),
        GoldCommand::Suggest(args) => suggest::run(args, common),
    }
}
