//! Resuming a killed run; equal bytes from empty caches with any number of threads.

use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::world::{SMOLLM2, World, program};

/// Records, and the summary without its timing block, of the only run.
fn results(world: &World) -> (String, Value) {
    let mut runs = world.runs();
    assert_eq!(runs.len(), 1);
    let run = runs.pop().unwrap();
    let read = |name: &str| std::fs::read_to_string(run.path.join(name)).unwrap();
    let mut summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    summary.as_object_mut().unwrap().remove("timing").unwrap();
    (read("records.jsonl"), summary)
}

/// All three modes with a language model, from empty caches.
fn evaluated(threads: &str) -> (String, Value) {
    let world = World::new();
    // Only one question with evidence and one without, because the model is slow.
    let all = ["eval", "--only", "participle", "--only", "absent", "--reader", SMOLLM2];
    world.stdout(&[&all[..], &["--threads", threads, "--quiet"]].concat());
    results(&world)
}

#[test]
fn runs_from_empty_caches_are_the_same_with_one_thread_or_two() {
    let first = evaluated("1");
    assert_eq!(first.0.lines().count(), 2);
    assert_eq!(evaluated("1"), first, "the same command twice");
    assert_eq!(evaluated("2"), first, "one thread and two");
}

/// A world with more questions than are answered before the kill, and their number.
fn long() -> (World, usize) {
    let world = World::new();
    let count = 40;
    let gold: String = (0..count)
        .map(|n| {
            format!(
                "{{\"id\": \"q{n:03}\", \"question\": \"Question {n}: what is the past of eat?\", \
                 \"answers\": [\"ate\"], \"tags\": [\"n:{}\"], \
                 \"evidence\": [{{\"doc\": \"eat\", \"quote\": \"is *ate*\"}}]}}\n",
                n % 2
            )
        })
        .collect();
    world.write("gold/small.jsonl", &gold);
    (world, count)
}

#[test]
#[cfg(unix)]
fn a_killed_run_resumes_and_ends_with_the_same_bytes() {
    let (unbroken, count) = long();
    unbroken.stdout(&["eval", "--quiet"]);

    let (world, _) = long();
    let mut child = Command::new(program())
        .args(["eval", "--quiet", "--note", "killed"])
        .current_dir(world.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let runs = world.path(".fiel/runs");
    let records = || {
        let run = std::fs::read_dir(&runs).ok()?.next()?.ok()?.path();
        let text = std::fs::read_to_string(run.join("records.jsonl")).ok()?;
        Some((run, text)).filter(|(_, text)| text.lines().count() > 1)
    };
    let started = Instant::now();
    let (run, _) = loop {
        if let Some(found) = records() {
            break found;
        }
        assert!(started.elapsed() < Duration::from_secs(300));
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        sleep(Duration::from_millis(2));
    };
    // SIGKILL cannot be handled.
    child.kill().unwrap();
    child.wait().unwrap();
    let bytes = std::fs::read(run.join("records.jsonl")).unwrap();
    let end = bytes.iter().rposition(|&b| b == b'\n').unwrap() + 1;
    let done = bytes.iter().filter(|&&b| b == b'\n').count();
    assert!((1..count).contains(&done), "killed after {done}");
    assert!(!run.join("summary.json").exists());
    // An incomplete last line.
    let torn = [&bytes[..], b"{\"schema\":\"fiel.record/1\",\"id\":\"q0"].concat();
    std::fs::write(run.join("records.jsonl"), torn).unwrap();

    let listed = world.stdout(&["runs"]);
    assert!(listed.contains("unfinished"), "{listed}");
    let refused = world.refusal(&["eval", "--resume", "--context-k", "1"]);
    assert!(
        refused.contains("cannot resume run") && refused.contains("read.context_k 2 → 1"),
        "{refused}"
    );
    world.stdout(&["eval", "--resume", "--quiet"]);
    let (expected, found) = (results(&unbroken), results(&world));
    assert!(found.0.as_bytes().starts_with(&bytes[..end]));
    assert_eq!(found, expected);
    let summary = world.runs()[0].summary().unwrap();
    assert_eq!(summary.timing.note.as_deref(), Some("killed"));
    assert_eq!(summary.timing.fresh_answers, 2 * count);
    let refused = world.refusal(&["eval", "--resume"]);
    assert!(refused.contains("nothing to resume"), "{refused}");
}
