//! The command line of Fiel: `fiel eval` and its neighbours.

mod args;
mod commands;
mod output;
mod progress;
mod run_args;
mod settings;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// 0: done; 1: below the gate; 2: an error, said in one message.
fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(args) {
        Ok(commands::Verdict::Good) => ExitCode::SUCCESS,
        Ok(commands::Verdict::BelowGate) => ExitCode::from(1),
        // The reader of our output went away: there is nobody left to tell.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", output::chain(&error));
            ExitCode::from(2)
        }
    }
}
