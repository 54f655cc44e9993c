//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use fiel_report::{Style, for_terminal, json_for_terminal};
use serde::Serialize;

use crate::{args::Common, verdict::Verdict};

/// Prints a text to standard output, without what could control the terminal. A closed pipe is an
/// error ([`is_closed_pipe`]), not a panic.
pub fn print(text: &str) -> Result<()> {
    write(&for_terminal(text))
}

fn write(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a note to standard error, unless quiet.
pub fn note(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(io::stderr(), "{}", for_terminal(text));
    }
}

/// Prints a value as indented JSON.
pub fn json(value: &impl Serialize) -> Result<()> {
    write(&json_for_terminal(&format!("{}\n", serde_json::to_string_pretty(value)?)))
}

/// Prints the result of a command: as JSON with `--json`, else as a screen.
pub fn show(
    common: &Common,
    result: &impl Serialize,
    screen: impl FnOnce() -> String,
) -> Result<Verdict> {
    if common.json {
        json(result)?;
    } else {
        print(&screen())?;
    }
    Ok(Verdict::Good)
}

/// Width and colours of the terminal; no colours with `NO_COLOR` (<https://no-color.org>).
pub fn style() -> Style {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let width = std::env::var("COLUMNS").ok().and_then(|v| v.parse().ok()).unwrap_or(100);
    Style { color: io::stdout().is_terminal() && !no_color && !dumb, width }
}

pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut io_errors = error.chain().filter_map(|e| e.downcast_ref::<io::Error>());
    io_errors.any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// The message with its causes, without those that it already contains.
pub fn chain(error: &anyhow::Error) -> String {
    let mut out = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        let text = text.trim_end();
        if !out.contains(text) {
            out.push_str(if out.is_empty() { "" } else { ": " });
            out.push_str(text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_printed_once() {
        let error = anyhow::anyhow!("file: no such file").context("file");
        assert_eq!(chain(&error), "file: file: no such file");
        let error = anyhow::anyhow!("cause").context("what: cause");
        assert_eq!(chain(&error), "what: cause");
    }
}
