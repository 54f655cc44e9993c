//! Progress on standard error.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::note;

/// A bar with the remaining time on a terminal, a line per tenth elsewhere, nothing if quiet.
pub struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    label: &'static str,
    /// Tenths printed so far.
    printed: usize,
}

impl Progress {
    pub fn new(label: &'static str, quiet: bool) -> Self {
        Self { bar: None, lines: !quiet && !io::stderr().is_terminal(), label, printed: 0 }
    }

    pub fn terminal(label: &'static str, quiet: bool) -> Self {
        let mut progress = Self::new(label, quiet);
        if !quiet && io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let template = "{msg} {bar:30} {pos}/{len} {elapsed_precise}, {eta_precise} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(label);
            bar.enable_steady_tick(Duration::from_millis(250));
            progress.bar = Some(bar);
        }
        progress
    }

    pub fn set(&mut self, done: usize, total: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        } else if self.lines && total > 0 {
            let tenth = done * 10 / total;
            if tenth > self.printed || done == total {
                self.printed = if done == total { 0 } else { tenth };
                let _ = writeln!(io::stderr(), "{} {done}/{total}", self.label);
            }
        }
    }

    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.lines => {
                let _ = writeln!(io::stderr(), "{text}");
            }
            None => {}
        }
    }

    /// Removes the bar so that results can be printed.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Progress of the reader: a note while it loads, then a bar that appears with the first answer.
pub struct ReaderProgress {
    bar: Option<Progress>,
    label: &'static str,
    quiet: bool,
}

impl ReaderProgress {
    pub fn new(label: &'static str, quiet: bool) -> Self {
        Self { bar: None, label, quiet }
    }

    pub fn loading(&self) {
        match &self.bar {
            Some(bar) => bar.note("loading the reader"),
            None => note(self.quiet, "loading the reader"),
        }
    }

    pub fn set(&mut self, done: usize, total: usize) {
        let (label, quiet) = (self.label, self.quiet);
        self.bar.get_or_insert_with(|| Progress::terminal(label, quiet)).set(done, total);
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }
}
