use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error with the time that is left; where that is no terminal, a line now and
/// then; nothing when quiet.
pub struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    label: &'static str,
    told: usize,
}

impl Progress {
    pub fn new(label: &'static str, quiet: bool) -> Self {
        Self {
            bar: None,
            lines: !quiet && !io::stderr().is_terminal(),
            label,
            told: 0,
        }
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

    pub fn at(&mut self, done: usize, of: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        } else if self.lines && of > 0 {
            let tenth = done * 10 / of;
            if tenth > self.told || done == of {
                self.told = if done == of { 0 } else { tenth };
                let _ = writeln!(io::stderr(), "{} {done}/{of}", self.label);
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

    /// Takes the bar away so that results can be printed.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
