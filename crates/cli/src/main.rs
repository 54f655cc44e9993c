//! The command line of Fiel: `fiel eval` and its neighbours.

mod args;
mod arms;
mod commands;
mod interrupt;
mod output;
mod page;
mod progress;
mod questions;
mod run_args;
mod settings;
mod shown;
mod stored;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// 0: done; 1: below the gate; 2: an error, said in one message.
fn main() -> ExitCode {
    // Candle's errors would carry a backtrace in their message; a panic still shows its own.
    // SAFETY: no other thread runs yet that could read the environment.
    unsafe { std::env::set_var("RUST_LIB_BACKTRACE", "0") };
    let args = args::Args::parse();
    match commands::run(args) {
        Ok(commands::Verdict::Good) => ExitCode::SUCCESS,
        Ok(commands::Verdict::BelowGate) => ExitCode::from(1),
        // The reader of our output went away: there is nobody left to tell.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(false, &format!("error: {}", output::chain(&error)));
            ExitCode::from(2)
        }
    }
}
