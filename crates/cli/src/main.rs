//! The command line of Fiel: evaluates retrieval-augmented generation on this machine.

mod args;
mod cli;
mod commands;
#[cfg(test)]
mod docs;
mod evaluation;
mod interrupt;
mod output;
mod page;
mod progress;
mod questions;
mod settings;
mod stored;
mod variants;
mod verdict;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// Exit status: 0 done, 1 below the gate, 2 error.
fn main() -> ExitCode {
    // Without this, Candle puts a backtrace into the messages of its errors. A panic still has one.
    // SAFETY: no other thread runs yet that could read the environment.
    unsafe { std::env::set_var("RUST_LIB_BACKTRACE", "0") };
    match cli::run(cli::Cli::parse()) {
        Ok(verdict) => verdict.into(),
        // The program that reads our output has exited.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(false, &format!("error: {}", output::chain(&error)));
            ExitCode::from(2)
        }
    }
}
