//! Generates `docs/cli.md` and `docs/settings.md` and holds them to the code.
//! `FIEL_UPDATE_DOCS=1 cargo test -p fiel-cli --bin fiel docs` rewrites them.

mod keys;

use std::{collections::BTreeMap, fmt::Write, path::Path};

use clap::{Command, CommandFactory};
use toml::{Table, Value};

use self::keys::{Key, SECTIONS, Section};
use crate::{cli::Cli, settings::Settings};

/// Compares a page with its generated text, or writes it.
fn hold(name: &str, text: &str) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let path = docs.join(name);
    if std::env::var_os("FIEL_UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "run `FIEL_UPDATE_DOCS=1 cargo test -p fiel-cli --bin fiel docs`";
    assert!(stored == text, "docs/{name} is out of date; {hint}");
}

/// The help of a command and its subcommands, as the program prints it without the global options.
fn command_help(command: &Command, name: &str, out: &mut String) {
    let mut shown = command.clone().term_width(100).bin_name(name);
    if command.get_name() != "fiel" {
        shown = shown.disable_help_flag(true).disable_version_flag(true);
    }
    let help = shown.render_help().to_string();
    let lines: Vec<&str> = help.trim().lines().map(str::trim_end).collect();
    let _ = write!(out, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n"));
    for subcommand in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = format!("{name} {}", subcommand.get_name());
        command_help(subcommand, &name, out);
    }
}

#[test]
fn the_command_reference_is_up_to_date() {
    let mut text = "# Commands\n\n<!-- Generated from the help texts in crates/cli. Do not edit. -->\n\n\
         The global options under `fiel` apply to every command. [settings.md](settings.md) describes \
         the settings file, which supplies values that are not on the command line.\n"
        .to_owned();
    command_help(&Cli::command(), "fiel", &mut text);
    hold("cli.md", &text);
}

/// Every key of a table with its value; the keys of inner tables as `TABLE.KEY`.
fn flatten(prefix: &str, table: &Table, out: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::Table(inner) if !inner.is_empty() => flatten(&format!("{key}."), inner, out),
            value => {
                out.insert(key, value.to_string());
            }
        }
    }
}

#[test]
fn the_reference_of_settings_is_up_to_date() {
    let defaults = Table::try_from(Settings::default()).expect("settings are TOML");
    let mut unused = BTreeMap::new();
    flatten("", &defaults, &mut unused);
    let mut text = "# Settings\n\n<!-- Generated from crates/cli/src/docs/keys.rs and the defaults in the code. \
         Do not edit. -->\n\n\
         Settings are read from `fiel.toml` in the working directory, or from `--config FILE`. A flag \
         on the command line overrides the file. An unknown key or a value out of range is an \
         error.\n"
        .to_owned();
    for Section { table, about, keys } in SECTIONS {
        let heading =
            if table.is_empty() { "Top level".to_owned() } else { format!("`[{table}]`") };
        let _ = write!(text, "\n## {heading}\n\n{about}\n\n");
        text.push_str("| Key | Default | Meaning | Values |\n|---|---|---|---|\n");
        for Key(name, meaning, values) in *keys {
            let dot = if table.is_empty() { "" } else { "." };
            let key = format!("{table}{dot}{name}");
            let default = match unused.remove(&key) {
                Some(default) => format!("`{default}`"),
                None => {
                    let parsed = toml::from_str::<Settings>(&format!("{key} = []\n"));
                    let error = parsed.err().map(|e| e.to_string()).unwrap_or_default();
                    assert!(!error.contains("unknown field"), "{key} is not a setting");
                    "unset".to_owned()
                }
            };
            let _ = writeln!(text, "| `{name}` | {default} | {meaning} | {values} |");
        }
    }
    assert!(unused.is_empty(), "settings without a description: {unused:?}");
    hold("settings.md", &text);
}
