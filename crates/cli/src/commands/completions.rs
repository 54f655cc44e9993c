//! `fiel completions`

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::{output::print, verdict::Verdict};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel completions bash > ~/.local/share/bash-completion/completions/fiel\n  \
    fiel completions zsh > ~/.zfunc/_fiel\n  fiel completions fish > ~/.config/fish/completions/fiel.fish"
)]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the script that completes `command`.
pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<Verdict> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "fiel", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Verdict::Good)
}
