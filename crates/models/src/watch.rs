//! A child process that is ended when neither its log nor its folder grows.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use fiel_store::{FolderSize, folder_size};

use crate::failure::{Failure, SILENCE};

/// Until the first line, which pip writes before it uses the network: reading a Python
/// installation from a cold disk takes seconds.
const START: Duration = Duration::from_secs(15);

/// How often the folder is looked at.
const POLL: Duration = Duration::from_millis(100);

/// How a process ended.
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    /// The lines of both outputs as they came.
    pub(crate) log: Vec<String>,
}

/// Runs a command and ends it when nothing happens for [`SILENCE`]: no line in its log and
/// no byte in `folder`. `on_bytes` gets the size of the largest file there.
pub(crate) fn watch(
    mut command: Command,
    folder: &Path,
    mut on_bytes: impl FnMut(u64),
) -> Result<Run, Failure> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = Running(
        command
            .spawn()
            .map_err(|error| Failure::unreachable(format!("cannot run pip: {error}")))?,
    );
    let (sender, lines) = channel();
    read_lines(child.0.stdout.take(), sender.clone());
    read_lines(child.0.stderr.take(), sender);

    let mut log = Vec::new();
    let mut size = FolderSize::default();
    let mut heard = Instant::now();
    loop {
        let (seen, open) = take_lines(&lines, &mut log);
        let now = folder_size(folder);
        if seen || now != size {
            heard = Instant::now();
        }
        if now != size {
            size = now;
            // The largest file is the wheel, which pip copies when it is complete.
            on_bytes(size.largest);
        }
        let status = child
            .0
            .try_wait()
            .map_err(|error| Failure::answered(error.to_string()))?;
        if let Some(status) = status {
            // What is still in the pipes; a stranger may hold them open, so not for long.
            while take_lines(&lines, &mut log).0 {}
            return Ok(Run { status, log });
        }
        if heard.elapsed() > if log.is_empty() { START } else { SILENCE } {
            return Err(Failure::silent());
        }
        if !open {
            std::thread::sleep(POLL);
        }
    }
}

/// A process that does not outlive its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail for a process that has ended, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn read_lines(pipe: Option<impl Read + Send + 'static>, sender: Sender<String>) {
    let Some(pipe) = pipe else { return };
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n') {
            let Ok(line) = line else { return };
            if sender
                .send(String::from_utf8_lossy(&line).trim_end().to_owned())
                .is_err()
            {
                return;
            }
        }
    });
}

/// Waits up to [`POLL`] for lines. Whether there were any that tell of an advance, and
/// whether more can come. A warning tells of none: pip warns before it tries again.
fn take_lines(lines: &Receiver<String>, log: &mut Vec<String>) -> (bool, bool) {
    let before = log.len();
    match lines.recv_timeout(POLL) {
        Ok(line) => {
            log.push(line);
            log.extend(lines.try_iter());
            (
                log[before..]
                    .iter()
                    .any(|line| !line.trim_start().starts_with("WARNING")),
                true,
            )
        }
        Err(RecvTimeoutError::Timeout) => (false, true),
        Err(RecvTimeoutError::Disconnected) => (false, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_says_nothing_after_its_first_word_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.args([
            "-c",
            "import time; print('here', flush=True); time.sleep(60)",
        ]);
        let started = Instant::now();
        let failure = watch(command, folder.path(), |_| {}).err().unwrap();
        assert!(failure.unreachable);
        assert!(
            started.elapsed() < Duration::from_secs(8),
            "{:?}",
            started.elapsed()
        );
    }

    #[test]
    fn a_process_whose_folder_grows_is_let_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.arg("-c").arg(
            "import time\nprint('here', flush=True)\nf = open('grows', 'wb', buffering=0)\n\
             for _ in range(7):\n  f.write(b'x')\n  time.sleep(1)",
        );
        command.current_dir(folder.path());
        let mut bytes = 0;
        let run = watch(command, folder.path(), |n| bytes = n).ok().unwrap();
        assert!(run.status.success());
        assert_eq!(bytes, 7);
    }
}
