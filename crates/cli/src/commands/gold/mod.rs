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
use fiel_eval::{Finding, Gold};

use crate::{args::Common, commands::Verdict, settings::Settings};

#[derive(Subcommand, Debug)]
pub enum GoldCommand {
    /// Find what makes a gold set misleading
    Lint(lint::LintArgs),
    /// Take over questions of another program or collection
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Choose when the reader is not asked, on the development split
    CalibrateGuard(calibrate_guard::GuardArgs),
    /// Write questions, one passage at a time
    New(new::NewArgs),
    /// Have the reader draft questions, and accept, edit or drop each
    Suggest(Box<suggest::SuggestArgs>),
}

pub fn run(command: &GoldCommand, settings: &Settings, common: &Common) -> Result<Verdict> {
    match command {
        GoldCommand::Lint(args) => lint::run(args, settings, common),
        GoldCommand::Import(command) => import::run(command, settings, common),
        GoldCommand::CalibrateGuard(args) => calibrate_guard::run(args, settings, common),
        GoldCommand::New(args) => new::run(args, settings),
        GoldCommand::Suggest(args) => suggest::run(args, settings, common),
    }
}

/// The knowledge base of a gold set: as asked for, else as its companion file says, else that of
/// the settings.
fn kb_of(gold: &std::path::Path, asked: Option<&String>, settings: &Settings) -> Result<String> {
    Ok(match asked {
        Some(kb) => kb.clone(),
        None => Gold::kb_of(gold)?.unwrap_or_else(|| settings.kb.clone()),
    })
}

/// `warning G201: …` and the remedy below it.
fn shown(finding: &Finding) -> String {
    format!(
        "{} {}: {}\n    -> {}\n",
        finding.level, finding.code, finding.message, finding.remedy
    )
}
