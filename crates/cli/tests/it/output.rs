//! Help, colours, `--quiet`, closed pipes, completions and manual pages.

use std::{
    io::pipe,
    process::{Command, Stdio},
};

use crate::world::{World, program};

#[test]
fn help_has_examples() {
    let world = World::new();
    for args in [&["--help"][..], &["eval", "--help"], &["ask", "--help"], &["search", "--help"]] {
        let help = world.stdout(args);
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains("  fiel "), "{help}");
    }
    for command in ["index", "models", "doctor", "clean", "man", "completions"] {
        assert!(world.stdout(&[command, "--help"]).contains("Usage: fiel"));
    }
    assert!(world.stdout(&["--version"]).starts_with("fiel "));
}

#[test]
fn quiet_leaves_standard_error_empty() {
    let world = World::new();
    let output = world.fiel(&["eval", "--quiet"]).assert().success();
    assert_eq!(String::from_utf8_lossy(&output.get_output().stderr), "");
}

#[test]
fn output_to_a_pipe_has_no_colours() {
    let world = World::new();
    assert!(!world.stdout(&["eval"]).contains('\u{1b}'));
}

/// Runs the program in a pseudo-terminal that Python creates.
#[cfg(unix)]
fn on_a_terminal(world: &World, no_color: Option<&str>) -> Option<String> {
    let mut command = Command::new("python3");
    command
        .args(["-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"])
        .arg(program())
        .args(["eval", "--modes", "retrieval", "--quiet"])
        .current_dir(world.path(""))
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    if let Some(value) = no_color {
        command.env("NO_COLOR", value);
    }
    let output = command.output().ok()?;
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
#[cfg(unix)]
fn no_color_switches_colours_off() {
    let world = World::new();
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 0.5\n");
    let Some(coloured) = on_a_terminal(&world, None) else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    let plain = on_a_terminal(&world, Some("1")).unwrap();
    assert!(plain.contains("hit@5") && !plain.contains('\u{1b}'), "{plain}");
    // An empty value has no effect (https://no-color.org).
    assert!(on_a_terminal(&world, Some("")).unwrap().contains("\u{1b}["));
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let world = World::new();
    for args in [
        &["eval"][..],
        &["eval", "--json"],
        &["search", "past of eat"],
        &["ask", "past of eat?"],
        &["models", "list"],
        &["doctor"],
        &["clean", "--dry-run"],
        &["--help"],
    ] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = Command::new(program())
            .args(args)
            .current_dir(world.path(""))
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some(), "{args:?} was killed");
        assert!(!stderr.contains("panicked") && !stderr.contains("error"), "{args:?}: {stderr}");
    }
    // The runs are stored even if they cannot be shown.
    assert_eq!(world.runs().len(), 2);
}

#[test]
fn shells_complete_the_commands() {
    let world = World::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = world.stdout(&["completions", shell]);
        assert!(script.contains("ablate") && script.contains("context-k"), "{shell}");
    }
    assert!(world.refusal(&["completions", "csh"]).contains("bash"));
}

#[test]
fn every_command_has_a_manual_page() {
    let world = World::new();
    let page = world.stdout(&["man"]);
    assert!(page.contains(".TH fiel 1") && page.contains("fiel\\-eval(1)"), "{page}");
    world.stdout(&["man", "man1"]);
    for name in ["fiel.1", "fiel-eval.1", "fiel-gold-lint.1"] {
        assert!(world.path("man1").join(name).is_file(), "{name}");
    }
}
