//! Progress of a download on standard error: a bar on a terminal, otherwise a line per 10 %.

use std::{
    cell::Cell,
    io::{IsTerminal, Write as _, stderr},
    time::Duration,
};

use indicatif::{DecimalBytes, ProgressBar, ProgressStyle};

use crate::ModelSpec;

pub(crate) struct DownloadProgress {
    name: String,
    total: Option<u64>,
    /// Hidden if standard error is not a terminal.
    bar: ProgressBar,
    /// The last tenth that was printed as a line, if lines are printed.
    printed: Option<Cell<u64>>,
}

impl DownloadProgress {
    /// Announces a download from `source`.
    pub(crate) fn start(spec: &ModelSpec, source: &str, quiet: bool) -> Self {
        let (name, total) = (spec.id.clone(), spec.size());
        let size = total.map_or(String::new(), |total| format!(" ({})", DecimalBytes(total)));
        notify(quiet, &format!("downloading {name}{size} from {source}"));
        let is_terminal = stderr().is_terminal();
        let bar =
            if quiet || !is_terminal { ProgressBar::hidden() } else { visible_bar(&name, total) };
        Self { name, total, bar, printed: (!quiet && !is_terminal).then(Cell::default) }
    }

    /// Shows the current file or part, such as "part 3 of 22".
    pub(crate) fn set_message(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Sets the number of bytes received of all files and parts together.
    pub(crate) fn set_bytes(&self, bytes: u64) {
        let bytes = bytes.min(self.total.unwrap_or(bytes));
        self.bar.set_position(bytes);
        let (Some(printed), Some(total)) = (&self.printed, self.total) else { return };
        let tenth = (bytes * 10).checked_div(total).unwrap_or(0);
        if tenth > printed.get() {
            printed.set(tenth);
            let (bytes, total) = (DecimalBytes(bytes), DecimalBytes(total));
            notify(false, &format!("{}: {tenth}0 %, {bytes} of {total}", self.name));
        }
    }
}

impl Drop for DownloadProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn visible_bar(name: &str, total: Option<u64>) -> ProgressBar {
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
