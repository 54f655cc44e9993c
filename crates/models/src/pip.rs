//! Downloads of a wheel with `python3 -m pip download`, which knows the index, proxy and
//! certificates that are configured on the machine. A watchdog ends pip if it stalls.

use std::{
    fs::{self, File},
    io::{Read, Seek},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use fiel_store::{FolderSize, folder_size};

use crate::{
    Error,
    failure::{Failure, STALL_TIMEOUT},
    wheels::{ISOLATED, neutral_folder},
};

/// Timeout of pip for a connection or a read, in seconds. It exceeds [`STALL_TIMEOUT`], so pip
/// never gets to retry after it.
const PIP_TIMEOUT: &str = "15";

/// Timeout until the first output. pip writes it before it uses the network, but loading Python
/// from a cold disk takes seconds.
const START_TIMEOUT: Duration = Duration::from_secs(15);

/// Interval between two checks of the watchdog.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum number of attempts if a download breaks off.
const ATTEMPTS: u32 = 3;

/// Downloads a wheel into a new folder. Calls `on_bytes` with the number of bytes received.
pub(crate) fn download(
    python: &str,
    requirement: &str,
    index_url: Option<&str>,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<PathBuf, Failure> {
    let folder = std::path::absolute(folder).map_err(Error::io("find", folder))?;
    // pip writes here first, so the watchdog sees the folder grow.
    let temporary = folder.join("tmp");
    let options = "-m pip -vv download --no-deps --no-cache-dir --only-binary :all: \
                   --progress-bar off --no-input --disable-pip-version-check --retries 0";
    let mut command = Command::new(python);
    command
        .args(ISOLATED)
        .args(options.split_whitespace())
        .current_dir(neutral_folder())
        .args(["--timeout", PIP_TIMEOUT])
        .arg("--dest")
        .arg(&folder)
        .args(index_url.into_iter().flat_map(|url| ["--index-url", url]))
        .arg("--")
        .arg(requirement)
        .envs(["TMPDIR", "TEMP", "TMP"].map(|name| (name, &temporary)))
        // The watchdog reads the log.
        .env("PIP_QUIET", "0")
        .env("PIP_RESUME_RETRIES", "0")
        .env("PIP_REQUIRE_VIRTUALENV", "0");
    let mut attempt = 1;
    loop {
        fs::create_dir_all(&temporary).map_err(Error::io("create", &temporary))?;
        let (succeeded, log) = watch(&mut command, &folder, on_bytes)?;
        if succeeded {
            let entries = fs::read_dir(&folder).map_err(Error::io("read", &folder))?;
            return entries
                .flatten()
                .map(|entry| entry.path())
                .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
                .ok_or_else(|| Failure::new("pip did not create a wheel"));
        }
        let failure = parse_failure(&log);
        let broke_off =
            log.contains("Downloading ") && !log.contains("Operation cancelled by user");
        if failure.unreachable || !broke_off {
            return Err(failure);
        }
        if attempt == ATTEMPTS {
            return Err(failure.context(&format!("download broke off {ATTEMPTS} times")));
        }
        attempt += 1;
        fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))?;
    }
}

/// Runs a command. Returns whether it succeeded, and its output. Kills it if for [`STALL_TIMEOUT`]
/// it writes no output and `folder` does not grow. Calls `on_bytes` with the size of the largest
/// file in `folder`.
fn watch(
    command: &mut Command,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<(bool, String), Failure> {
    let cannot_run = |error| Failure::unreachable(format!("cannot run pip: {error}"));
    let mut log = tempfile::tempfile().map_err(cannot_run)?;
    let pipe = |log: &File| log.try_clone().map_err(cannot_run);
    command.stdin(Stdio::null()).stdout(pipe(&log)?).stderr(pipe(&log)?);
    let mut child = command.spawn().map_err(cannot_run)?;
    let mut sizes = (FolderSize::default(), 0);
    let mut last_progress = Instant::now();
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let status = child.try_wait().map_err(cannot_run)?;
        let new_sizes = (folder_size(folder), log.metadata().map_or(0, |log| log.len()));
        if new_sizes != sizes {
            (sizes, last_progress) = (new_sizes, Instant::now());
            on_bytes(sizes.0.largest);
        }
        if let Some(status) = status {
            let mut bytes = Vec::new();
            log.rewind().and_then(|()| log.read_to_end(&mut bytes)).map_err(cannot_run)?;
            return Ok((status.success(), String::from_utf8_lossy(&bytes).into_owned()));
        }
        let timeout = if sizes.1 == 0 { START_TIMEOUT } else { STALL_TIMEOUT };
        if last_progress.elapsed() > timeout {
            // Both fail if the process has ended.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::stalled());
        }
    }
}

/// Extracts the reason of a failure from pip's log.
fn parse_failure(log: &str) -> Failure {
    let mut lines = log.lines().map(str::trim);
    // "Could not fetch URL URL: REASON - skipping"
    if let Some((url, reason)) = lines.clone().find_map(|line| {
        let text = line.strip_prefix("Could not fetch URL ")?;
        text.strip_suffix(" - skipping").unwrap_or(text).split_once(": ")
    }) {
        // Older versions wrap the message of the system: "connection error: …Pool(…): Max retries
        // exceeded with url: … (Caused by NewConnectionError('…: Failed to establish a new
        // connection: [Errno 111] Connection refused'))".
        let message = reason.strip_prefix("connection error: ").unwrap_or(reason);
        let message = message.rsplit("connection: ").next().unwrap_or(message);
        return Failure {
            reason: format!("{url}: {}", message.trim_end_matches(['\'', '"', ')'])),
            unreachable: reason.starts_with("connection error") || reason.contains("SSL"),
        };
    }
    let message = lines
        .rfind(|line| line.starts_with("ERROR: ") || line.starts_with("× "))
        .and_then(|line| line.split_once(' '));
    Failure::new(match message {
        Some((_, message)) => format!("pip: {message}"),
        None => "pip failed without a message".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (String, bool) {
        let failure = parse_failure(text);
        (failure.reason, failure.unreachable)
    }

    #[test]
    fn a_connection_error_keeps_the_message_of_the_system() {
        let old = "Looking in indexes: http://h/simple
            Could not fetch URL http://h/simple/p/: connection error: HTTPConnectionPool(host='h', \
            port=80): Max retries exceeded with url: /simple/p/ (Caused by NewConnectionError(\
            '<HTTPConnection object at 0x1>: Failed to establish a new connection: [Errno 111] \
            Connection refused')) - skipping
            ERROR: No matching distribution found for p==1";
        let new = "Could not fetch URL http://h/simple/p/: connection error: [Errno 111] \
            Connection refused - skipping
            ERROR: No matching distribution found for p==1";
        for text in [old, new] {
            let expected = "http://h/simple/p/: [Errno 111] Connection refused";
            assert_eq!(parsed(text), (expected.to_owned(), true));
        }
    }

    #[test]
    fn other_errors_leave_the_index_reachable() {
        let absent =
            "Could not fetch URL http://h/simple/p/: 404 Client Error: Not Found for url: \
            http://h/simple/p/ - skipping
            ERROR: No matching distribution found for p==1";
        let expected =
            "http://h/simple/p/: 404 Client Error: Not Found for url: http://h/simple/p/";
        assert_eq!(parsed(absent), (expected.to_owned(), false));

        let version = "ERROR: Could not find a version that satisfies the requirement p==1
            ERROR: No matching distribution found for p==1
            Removed build tracker: '/t'";
        let expected = "pip: No matching distribution found for p==1";
        assert_eq!(parsed(version), (expected.to_owned(), false));

        let broken = "error: incomplete-download

            × Download failed because not enough bytes were received (5.4 kB/10 kB)
            ╰─> URL: http://h/w/p.whl";
        let expected = "pip: Download failed because not enough bytes were received (5.4 kB/10 kB)";
        assert_eq!(parsed(broken), (expected.to_owned(), false));
        assert_eq!(parsed(""), ("pip failed without a message".to_owned(), false));
    }

    #[test]
    fn a_process_without_progress_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.args(["-c", "import time; print('here', flush=True); time.sleep(60)"]);
        let started = Instant::now();
        let failure = watch(&mut command, folder.path(), &mut |_| {}).unwrap_err();
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
        let (succeeded, log) = watch(&mut command, folder.path(), &mut |n| bytes = n).unwrap();
        assert!(succeeded);
        assert_eq!(log.trim_end(), "here");
        assert_eq!(bytes, 7);
    }
}
