//! A child process with a watchdog.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::{Duration, Instant},
};

use crate::failure::{Failure, STALL_TIMEOUT};
use fiel_store::{FolderSize, folder_size};

/// Timeout until the first line of output. pip writes it before it uses the network, but loading
/// Python from a cold disk takes seconds.
const START_TIMEOUT: Duration = Duration::from_secs(15);

/// Interval between two checks.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A finished process.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    /// The lines of standard output and standard error in the order of arrival.
    pub(crate) log: Vec<String>,
}

/// Runs a command. Kills it if for [`STALL_TIMEOUT`] its output does not progress and `folder`
/// does not grow. Calls `on_bytes` with the size of the largest file in `folder`.
pub(crate) fn watch(
    mut command: Command,
    folder: &Path,
    mut on_bytes: impl FnMut(u64),
) -> Result<Finished, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn();
    let child = child.map_err(|e| Failure::unreachable(format!("cannot run pip: {e}")))?;
    let mut child = KillOnDrop(child);
    let (sender, lines) = channel();
    read_lines(child.0.stdout.take(), sender.clone());
    read_lines(child.0.stderr.take(), sender);

    let mut log = Vec::new();
    let mut size = FolderSize::default();
    let mut last_progress = Instant::now();
    loop {
        let output = take_lines(&lines, &mut log);
        let new_size = folder_size(folder);
        if output == OutputLine::Progress || new_size != size {
            last_progress = Instant::now();
        }
        if new_size != size {
            size = new_size;
            on_bytes(size.largest);
        }
        let status = child.0.try_wait();
        if let Some(status) = status.map_err(|e| Failure::new(e.to_string()))? {
            // Drain the pipes, but not until they close: a grandchild can hold them open.
            while take_lines(&lines, &mut log) == OutputLine::Progress {}
            return Ok(Finished { status, log });
        }
        let timeout = if log.is_empty() { START_TIMEOUT } else { STALL_TIMEOUT };
        if last_progress.elapsed() > timeout {
            return Err(Failure::stalled());
        }
        if output == OutputLine::Closed {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Both fail if the process has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn read_lines(pipe: Option<impl Read + Send + 'static>, sender: Sender<String>) {
    let Some(pipe) = pipe else { return };
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n') {
            let Ok(line) = line else { return };
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if sender.send(line).is_err() {
                return;
            }
        }
    });
}

#[derive(Clone, Copy, PartialEq)]
enum OutputLine {
    Progress,
    /// No lines, or only warnings: pip warns before it retries.
    None,
    Closed,
}

/// Waits up to [`POLL_INTERVAL`] for lines of output.
fn take_lines(lines: &Receiver<String>, log: &mut Vec<String>) -> OutputLine {
    let before = log.len();
    match lines.recv_timeout(POLL_INTERVAL) {
        Ok(line) => {
            log.push(line);
            log.extend(lines.try_iter());
            let is_warning = |line: &String| line.trim_start().starts_with("WARNING");
            if log[before..].iter().all(is_warning) {
                OutputLine::None
            } else {
                OutputLine::Progress
            }
        }
        Err(RecvTimeoutError::Timeout) => OutputLine::None,
        Err(RecvTimeoutError::Disconnected) => OutputLine::Closed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_progress_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.args(["-c", "import time; print('here', flush=True); time.sleep(60)"]);
        let started = Instant::now();
        let failure = watch(command, folder.path(), |_| {}).err().unwrap();
        assert!(failure.unreachable);
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    }

    #[test]
    fn a_process_whose_folder_grows_runs_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.arg("-c").arg(
            "import time\nprint('here', flush=True)\nf = open('grows', 'wb', buffering=0)\n\
             for _ in range(7):\n  f.write(b'x')\n  time.sleep(1)",
        );
        command.current_dir(folder.path());
        let mut bytes = 0;
        let finished = watch(command, folder.path(), |n| bytes = n).ok().unwrap();
        assert!(finished.status.success());
        assert_eq!(bytes, 7);
    }
}
