//! Progress on standard error.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use fiel_report::for_terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::note;

/// A bar with the remaining time on a terminal, a line per tenth elsewhere, nothing if quiet.
pub struct Progress {
    label: String,
    quiet: bool,
    /// On a terminal, from the first step on.
    bar: Option<ProgressBar>,
    /// Tenths printed so far.
    printed: usize,
}

impl Progress {
    pub fn new(label: impl Into<String>, quiet: bool) -> Self {
        Self { label: label.into(), quiet, bar: None, printed: 0 }
    }

    pub fn set(&mut self, done: usize, total: usize) {
        if self.quiet {
            return;
        }
        if io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(|| bar(&self.label));
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        } else if let Some(tenth) = (done * 10).checked_div(total)
            && (tenth > self.printed || done == total)
        {
            self.printed = if done == total { 0 } else { tenth };
            let _ = writeln!(io::stderr(), "{} {done}/{total}", self.label);
        }
    }

    /// Prints a line above the bar.
    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(for_terminal(text)),
            None => note(self.quiet, text),
        }
    }

    /// Prints that the reader is being loaded.
    pub fn loading(&self) {
        self.note("loading the reader");
    }

    /// Removes the bar so that results can be printed.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(label: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let template = "{msg} {bar:30} {pos}/{len} {elapsed_precise}, {eta_precise} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(label.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
