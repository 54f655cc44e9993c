//! Progress of a download on standard error: a bar on a terminal, a line for each tenth
//! elsewhere, nothing when quiet.

use std::cell::Cell;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

use indicatif::{DecimalBytes, ProgressBar, ProgressStyle};

/// One model's download.
pub(crate) struct Progress {
    name: String,
    total: Option<u64>,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    /// The last tenth that got its line.
    Lines(Cell<u64>),
    Nothing,
}

impl Progress {
    /// A download of so many bytes from a source that is named to the reader.
    pub(crate) fn start(name: &str, total: Option<u64>, source: &str, quiet: bool) -> Self {
        let size = total.map_or(String::new(), |total| format!(" ({})", DecimalBytes(total)));
        say(quiet, &format!("fetching {name}{size} from {source}"));
        let shown = if quiet {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(bar(name, total))
        } else {
            Shown::Lines(Cell::new(0))
        };
        Self {
            name: name.to_owned(),
            total,
            shown,
        }
    }

    /// What is being fetched at the moment, such as "part 3 of 22".
    pub(crate) fn note(&self, text: &str) {
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(text.to_owned());
        }
    }

    /// So many bytes are here, of all files and parts together.
    pub(crate) fn set(&self, bytes: u64) {
        let bytes = bytes.min(self.total.unwrap_or(bytes));
        match &self.shown {
            Shown::Bar(bar) => bar.set_position(bytes),
            Shown::Lines(last) => {
                // Tenths of an unknown number are not told.
                let total = self.total.unwrap_or(0);
                let tenth = (bytes * 10).checked_div(total).unwrap_or(0);
                if tenth > last.replace(last.get().max(tenth)) {
                    let (bytes, total) = (DecimalBytes(bytes), DecimalBytes(total));
                    say(
                        false,
                        &format!("{}: {}0 %, {bytes} of {total}", self.name, tenth),
                    );
                }
            }
            Shown::Nothing => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{prefix} [{bar:30}] {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}, {eta} left {msg}",
        ),
        None => (
            ProgressBar::no_length(),
            "{prefix} {decimal_bytes} {decimal_bytes_per_sec} {msg}",
        ),
    };
    let bar = bar.with_prefix(name.to_owned());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A line on standard error unless quiet. A closed standard error is no reason to stop.
pub(crate) fn say(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}
