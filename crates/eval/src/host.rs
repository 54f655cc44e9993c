//! What the summary of a run says about the machine and the working directory.

use std::{
    fs,
    process::Command,
    time::{Instant, SystemTime},
};

use fiel_record::Timing;

/// The timing block of a run, without figures of its stages. The wall time counts from `since`.
pub(crate) fn timing(
    run: &str,
    started: SystemTime,
    since: Instant,
    note: Option<String>,
) -> Timing {
    Timing {
        run: run.to_owned(),
        started: humantime::format_rfc3339_seconds(started).to_string(),
        seconds: since.elapsed().as_secs_f64(),
        threads: rayon::current_num_threads(),
        machine: machine(),
        git: git(),
        note,
        ..Timing::default()
    }
}

/// Peak resident memory of this process in bytes (`VmHWM`), where the system reports it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Number of cores, and the name of the processor where the system reports it.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let name = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    format!("{cores} cores, {}", name.unwrap_or_else(|| std::env::consts::ARCH.to_owned()))
}

/// Short commit of the working directory, with `-dirty` if tracked files differ from it.
fn git() -> Option<String> {
    let mut command = Command::new("git");
    let output = command.args(["describe", "--always", "--dirty", "--exclude=*"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
