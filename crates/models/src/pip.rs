//! One wheel through `python3 -m pip download`.
//!
//! pip brings what a download needs on any machine: the index and proxy that are set up
//! there, and certificates.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::watch::watch;

/// Time limit that pip gets for a connection or a read, in seconds: over
/// [`SILENCE`](crate::failure::SILENCE), so that the watchdog comes first whatever a version
/// of pip does after its own limit.
const PIP_TIMEOUT: &str = "15";

/// How often a wheel is tried when its download broke off in the middle.
const ATTEMPTS: u32 = 3;

/// Downloads one wheel into `folder`, which is made anew; `on_bytes` gets the number of
/// bytes that are here.
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
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Failure::io("remove", folder)(error));
            }
            _ => {}
        }
        // pip writes to a temporary folder first; here its growth can be seen.
        let temporary = folder.join("tmp");
        fs::create_dir_all(&temporary).map_err(Failure::io("create", &temporary))?;
        let command = command(python, requirement, index_url, folder, &temporary);
        let run = watch(command, folder, &mut on_bytes)?;
        if run.status.success() {
            return only_wheel(folder);
        }
        let failure = complaint(&run.log);
        let said = |text: &str| run.log.iter().any(|line| line.contains(text));
        let broke_off = said("Downloading ") && !said("Operation cancelled by user");
        if failure.unreachable || !broke_off {
            return Err(failure);
        }
        if attempt == ATTEMPTS {
            return Err(failure.of(&format!("broke off {ATTEMPTS} times")));
        }
    }
}

/// pip without a cache, a build, a question or a second try.
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
        // The watchdog listens to the log.
        .env("PIP_QUIET", "0")
        .env("PIP_RESUME_RETRIES", "0")
        .env("PIP_REQUIRE_VIRTUALENV", "0");
    if let Some(url) = index_url {
        command.args(["--index-url", url]);
    }
    command.arg(requirement);
    command
}

fn only_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::io("read", folder))?;
    let mut wheels = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheels
        .next()
        .ok_or_else(|| Failure::answered("pip left no wheel"))
}

/// What pip's log says about a failure, in a few words.
fn complaint(log: &[String]) -> Failure {
    let mut lines = log.iter().map(|line| line.trim());
    // "Could not fetch URL URL: REASON - skipping"
    if let Some((url, reason)) = lines.find_map(|line| {
        let text = line.strip_prefix("Could not fetch URL ")?;
        text.strip_suffix(" - skipping")
            .unwrap_or(text)
            .split_once(": ")
    }) {
        // Older versions wrap the system's words: "connection error: …Pool(…): Max retries
        // exceeded with url: … (Caused by NewConnectionError('…: Failed to establish a new
        // connection: [Errno 111] Connection refused'))".
        let words = reason.strip_prefix("connection error: ").unwrap_or(reason);
        let words = words.rsplit("connection: ").next().unwrap_or(words);
        let text = format!("{url}: {}", words.trim_end_matches(['\'', '"', ')']));
        let answered = !reason.starts_with("connection error") && !reason.contains("SSL");
        return if answered {
            Failure::answered(text)
        } else {
            Failure::unreachable(text)
        };
    }
    let told = log.iter().rev().find_map(|line| {
        let line = line.trim();
        line.strip_prefix("ERROR: ")
            .or_else(|| line.strip_prefix("× "))
    });
    Failure::answered(match told {
        Some(words) => format!("pip: {words}"),
        None => "pip failed without a message".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> (String, bool) {
        let failure = complaint(&text.lines().map(str::to_owned).collect::<Vec<_>>());
        (failure.reason, failure.unreachable)
    }

    #[test]
    fn an_index_that_is_not_there_is_told_in_the_systems_words() {
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
            assert_eq!(said(text), (expected.to_owned(), true));
        }
    }

    #[test]
    fn an_index_that_refuses_has_answered() {
        let absent =
            "Could not fetch URL http://h/simple/p/: 404 Client Error: Not Found for url: \
            http://h/simple/p/ - skipping
            ERROR: No matching distribution found for p==1";
        let expected =
            "http://h/simple/p/: 404 Client Error: Not Found for url: http://h/simple/p/";
        assert_eq!(said(absent), (expected.to_owned(), false));

        let version = "ERROR: Could not find a version that satisfies the requirement p==1
            ERROR: No matching distribution found for p==1
            Removed build tracker: '/t'";
        let expected = "pip: No matching distribution found for p==1";
        assert_eq!(said(version), (expected.to_owned(), false));

        let broken = "error: incomplete-download

            × Download failed because not enough bytes were received (5.4 kB/10 kB)
            ╰─> URL: http://h/w/p.whl";
        let expected = "pip: Download failed because not enough bytes were received (5.4 kB/10 kB)";
        assert_eq!(said(broken), (expected.to_owned(), false));
        assert_eq!(said(""), ("pip failed without a message".to_owned(), false));
    }
}
