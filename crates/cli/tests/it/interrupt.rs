//! Ctrl-C while the reader works.

use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::world::{World, program};

/// Number of records of the only run; 0 if it does not exist yet.
fn lines(world: &World) -> usize {
    let Ok(runs) = std::fs::read_dir(world.path(".fiel/runs")) else {
        return 0;
    };
    let records = runs.map(|run| run.unwrap().path().join("records.jsonl"));
    records
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .map(|text| text.lines().count())
        .sum()
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_a_readable_run() {
    let world = World::new();
    // More questions than are answered before the signal comes.
    let mut gold = String::new();
    for n in 0..200 {
        gold.push_str(&format!(
            "{{\"id\": \"q{n:03}\", \"question\": \"Question {n}: what is the past of eat?\", \
             \"answers\": [\"ate\"], \"evidence\": [{{\"doc\": \"eat\", \"quote\": \"is *ate*\"}}]}}\n"
        ));
    }
    world.write("gold/small.jsonl", &gold);
    let mut child = Command::new(program())
        .args(["eval", "--modes", "retrieval,e2e"])
        .current_dir(world.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while lines(&world) == 0 {
        assert!(started.elapsed() < Duration::from_secs(300), "no question was answered");
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("stopping after this question"), "{stderr}");

    let run = world.runs().pop().unwrap();
    let (records, summary) = (run.records().unwrap(), run.summary().unwrap());
    assert_eq!(summary.planned, 200);
    assert!((1..200).contains(&records.len()), "{}", records.len());
    let screen = String::from_utf8_lossy(&output.stdout);
    assert!(screen.contains(&run.id), "{screen}");
}
