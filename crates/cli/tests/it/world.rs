//! A working directory with three documents and five questions.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use fiel_runs::{RunFolder, list_runs};
use tempfile::TempDir;

/// The small reader of the tests.
pub const SMOLLM2: &str = "smollm2-135m-instruct-q4_1";

const DOCUMENTS: [(&str, &str); 3] = [
    (
        "eat",
        "# Eat\n\nEat is irregular. Its past simple is *ate*.\n\n## Participle\n\n\
         The past participle of *eat* is *eaten* (Spanish: *comido*).\n",
    ),
    ("drink", "# Drink\n\nDrink is irregular. Its past simple is *drank*.\n"),
    ("make", "# Spelling of -ing\n\nA silent *e* is dropped: *make* becomes *making*.\n"),
];

pub const GOLD: &str = r#"{"id": "participle", "question": "What's the past participle of eat?", "evidence": [{"doc": "eat", "quote": "past participle of *eat* is *eaten*"}], "answers": ["eaten"], "tags": ["style:docs"], "split": "test"}
{"id": "drank", "question": "What is the past simple of drink?", "evidence": [{"doc": "drink", "quote": "Its past simple is *drank*"}], "answers": ["drank"], "tags": ["style:docs"], "split": "test"}
{"id": "spelling", "question": "How do I spell make with -ing?", "evidence": [{"doc": "make", "quote": "*make* becomes *making*"}], "answers": ["making"], "tags": ["style:vocab"], "split": "dev"}
{"id": "ate", "question": "past of eat pls?", "evidence": [{"doc": "eat", "quote": "Its past simple is *ate*"}], "answers": ["ate"], "tags": ["style:colloquial"], "split": "test"}
{"id": "absent", "question": "What is the past participle of swim?", "unanswerable": true, "tags": ["style:docs"], "split": "test"}
"#;

pub struct World {
    dir: TempDir,
}

impl World {
    pub fn new() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        for (id, text) in DOCUMENTS {
            world.write(&format!("kb/small/{id}.md"), text);
        }
        world.write("gold/small.jsonl", GOLD);
        world.write(
            "fiel.toml",
            "kb = \"small\"\ngold = \"small\"\n[read]\nmodel = \"extractive\"\ncontext_k = 2\n",
        );
        world
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// `fiel` in this folder, with the models of the user.
    pub fn fiel(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.dir.path()).args(args);
        command
    }

    /// `fiel` without models and without a network.
    pub fn without_models(&self, args: &[&str]) -> Command {
        let mut command = self.fiel(args);
        for name in ["FIEL_MODELS", "XDG_CACHE_HOME", "HF_HUB_CACHE", "HF_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", self.path("home")).arg("--offline");
        command
    }

    /// Standard output of a command that must succeed.
    pub fn stdout(&self, args: &[&str]) -> String {
        let output = self.fiel(args).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    }

    /// Standard error of a command that must end with status 2 and an empty standard output.
    pub fn refusal(&self, args: &[&str]) -> String {
        refusal(&mut self.fiel(args))
    }

    pub fn runs(&self) -> Vec<RunFolder> {
        list_runs(&self.path(".fiel/runs")).unwrap()
    }
}

pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_fiel"))
}

pub fn refusal(command: &mut Command) -> String {
    let output = command.assert().code(2);
    let output = output.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}
