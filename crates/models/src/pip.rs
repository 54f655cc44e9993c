//! Downloads of a wheel with `python3 -m pip download`, which knows the index, proxy and
//! certificates that are configured on the machine.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{failure::Failure, watch::watch};

/// Timeout of pip for a connection or a read, in seconds. It exceeds
/// [`STALL_TIMEOUT`](crate::failure::STALL_TIMEOUT), so pip never gets to retry after it.
const PIP_TIMEOUT: &str = "15";

/// Maximum number of attempts if a download breaks off.
const ATTEMPTS: u32 = 3;

/// Downloads a wheel into `folder`, which is deleted first. Calls `on_bytes` with the number of
/// bytes received.
pub(crate) fn download(
    python: &str,
    requirement: &str,
    index_url: Option<&str>,
    folder: &Path,
    mut on_bytes: impl FnMut(u64),
) -> Result<PathBuf, Failure> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        if let Err(error) = fs::remove_dir_all(folder)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(Failure::io("remove", folder)(error));
        }
        // pip writes here first, so the watchdog sees the folder grow.
        let temporary = folder.join("tmp");
        fs::create_dir_all(&temporary).map_err(Failure::io("create", &temporary))?;
        let command = command(python, requirement, index_url, folder, &temporary);
        let finished = watch(command, folder, &mut on_bytes)?;
        if finished.status.success() {
            return find_wheel(folder);
        }
        let failure = parse_failure(&finished.log);
        let log_has = |text: &str| finished.log.iter().any(|line| line.contains(text));
        let broke_off = log_has("Downloading ") && !log_has("Operation cancelled by user");
        if failure.unreachable || !broke_off {
            return Err(failure);
        }
        if attempt == ATTEMPTS {
            return Err(failure.context(&format!("download broke off {ATTEMPTS} times")));
        }
    }
}

/// The command for pip without cache, builds, prompts or retries.
fn command(
    python: &str,
    requirement: &str,
    index_url: Option<&str>,
    folder: &Path,
    temporary: &Path,
) -> Command {
    let options = "-m pip -vv download --no-deps --no-cache-dir --only-binary :all: \
                   --progress-bar off --no-input --disable-pip-version-check --retries 0";
    let mut command = Command::new(python);
    command
        .args(options.split_whitespace())
        .args(["--timeout", PIP_TIMEOUT])
        .arg("--dest")
        .arg(folder)
        .envs(["TMPDIR", "TEMP", "TMP"].map(|name| (name, temporary)))
        .env("PYTHONUNBUFFERED", "1")
        // The watchdog reads the log.
        .env("PIP_QUIET", "0")
        .env("PIP_RESUME_RETRIES", "0")
        .env("PIP_REQUIRE_VIRTUALENV", "0");
    if let Some(url) = index_url {
        command.args(["--index-url", url]);
    }
    command.arg(requirement);
    command
}

fn find_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::io("read", folder))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| Failure::new("pip did not create a wheel"))
}

/// Extracts the reason of a failure from pip's log.
fn parse_failure(log: &[String]) -> Failure {
    let mut lines = log.iter().map(|line| line.trim());
    // "Could not fetch URL URL: REASON - skipping"
    if let Some((url, reason)) = lines.find_map(|line| {
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
    let message = log.iter().rev().find_map(|line| {
        let line = line.trim();
        line.strip_prefix("ERROR: ").or_else(|| line.strip_prefix("× "))
    });
    Failure::new(match message {
        Some(message) => format!("pip: {message}"),
        None => "pip failed without a message".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (String, bool) {
        let failure = parse_failure(&text.lines().map(str::to_owned).collect::<Vec<_>>());
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
}
