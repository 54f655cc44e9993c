//! Progress of a download on standard error: a bar on a terminal, otherwise a line per 10 %.

use std::{
    cell::Cell,
    io::{IsTerminal, Write as _, stderr},
    time::Duration,
};

use indicatif::{DecimalBytes, ProgressBar, ProgressStyle};

/// The progress of a model's download.
pub(crate) struct DownloadProgress {
    name: String,
    total: Option<u64>,
    display: Display,
}

enum Display {
    Bar(ProgressBar),
    /// The last tenth that was printed.
    Lines(Cell<u64>),
    Quiet,
}

impl DownloadProgress {
    /// Announces a download of `total` bytes.
    pub(crate) fn start(name: &str, total: Option<u64>, source: &str, quiet: bool) -> Self {
        let size = total.map_or(String::new(), |total| format!(" ({})", DecimalBytes(total)));
        notify(quiet, &format!("downloading {name}{size} from {source}"));
        let display = if quiet {
            Display::Quiet
        } else if stderr().is_terminal() {
            Display::Bar(bar(name, total))
        } else {
            Display::Lines(Cell::new(0))
        };
        Self { name: name.to_owned(), total, display }
    }

    /// Shows the current file or part, such as "part 3 of 22".
    pub(crate) fn set_message(&self, text: &str) {
        if let Display::Bar(bar) = &self.display {
            bar.set_message(text.to_owned());
        }
    }

    /// Sets the number of bytes received of all files and parts together.
    pub(crate) fn set_bytes(&self, bytes: u64) {
        let bytes = bytes.min(self.total.unwrap_or(bytes));
        match &self.display {
            Display::Bar(bar) => bar.set_position(bytes),
            Display::Lines(last) => {
                // Without a total, the tenth stays 0.
                let total = self.total.unwrap_or(0);
                let tenth = (bytes * 10).checked_div(total).unwrap_or(0);
                if tenth > last.replace(last.get().max(tenth)) {
                    let (bytes, total) = (DecimalBytes(bytes), DecimalBytes(total));
                    let name = &self.name;
                    notify(false, &format!("{name}: {tenth}0 %, {bytes} of {total}"));
                }
            }
            Display::Quiet => {}
        }
    }
}

impl Drop for DownloadProgress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
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
        None => {
            (ProgressBar::no_length(), "{prefix} {decimal_bytes} {decimal_bytes_per_sec} {msg}")
        }
    };
    let bar = bar.with_prefix(name.to_owned());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Prints a line to standard error unless quiet. Ignores a closed standard error.
pub(crate) fn notify(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(stderr(), "{text}");
    }
}
