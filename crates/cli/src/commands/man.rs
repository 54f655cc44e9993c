//! `fiel man`

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_mangen::{Man, generate_to};

use crate::{output::print, verdict::Verdict};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel man | man -l -\n  fiel man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder for one page per command [default: print the page of `fiel`]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints the manual page of `command`, or writes one page for it and each subcommand.
pub fn run(args: &ManArgs, command: Command) -> Result<Verdict> {
    match &args.dir {
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            print(&String::from_utf8(page)?)?;
        }
        Some(dir) => {
            let written = std::fs::create_dir_all(dir).and_then(|()| generate_to(command, dir));
            written.with_context(|| dir.display().to_string())?;
            print(&format!("{}\n", dir.display()))?;
        }
    }
    Ok(Verdict::Good)
}
