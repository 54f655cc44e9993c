//! The person who writes or reviews questions.

use std::io::{self, BufRead, Stderr, StdinLock, Write};

use anyhow::Result;
use fiel_report::for_terminal;

/// Prompts and answers. Prompts go to standard error, so that standard output has only the new
/// questions.
pub struct Person<R, W> {
    pub input: R,
    pub output: W,
}

impl Person<StdinLock<'static>, Stderr> {
    /// The person at the terminal.
    pub fn stdio() -> Self {
        Self { input: io::stdin().lock(), output: io::stderr() }
    }
}

impl<R: BufRead, W: Write> Person<R, W> {
    pub fn say(&mut self, text: &str) {
        let out = &mut self.output;
        let _ = out.write_all(for_terminal(text).as_bytes()).and_then(|()| out.flush());
    }

    /// Reads a line; `None` at the end of the input or for `q`.
    pub fn ask(&mut self, prompt: &str) -> Result<Option<String>> {
        self.say(&format!("{prompt}> "));
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            self.say("\n");
            return Ok(None);
        }
        let line = line.trim();
        Ok((line != "q").then(|| line.to_owned()))
    }
}

/// The parts between separators, trimmed, without empty ones.
pub fn parts(text: &str, separator: char) -> Vec<String> {
    text.split(separator)
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}
