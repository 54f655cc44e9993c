use std::{collections::BTreeMap, path::Path};

use fiel_metrics::Lang;
use fiel_models::llm::{Role, Turn};
use serde::Deserialize;

use crate::{Error, slots::Slots};

/// The shipped file.
const FILE: &str = include_str!("../prompts/draft.toml");

/// What is asked for drafts, by ISO code of the language.
pub(crate) struct DraftPrompts {
    sets: BTreeMap<String, BTreeMap<DraftTask, Asked>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    system: String,
    user: String,
    #[serde(default)]
    example: Vec<Example>,
}

/// A turn that went before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    passage: String,
    said: String,
}

struct Asked {
    system: String,
    user: Slots,
    examples: Vec<Example>,
}

/// The table of each task.
const TABLES: [(&str, DraftTask); 3] = [
    ("plain", DraftTask::Plain),
    ("colloquial", DraftTask::Colloquial),
    ("unanswerable", DraftTask::Unanswerable),
];

impl DraftPrompts {
    /// The shipped prompts.
    ///
    /// # Errors
    /// Naming the table and the slot that is wrong.
    pub(crate) fn load() -> Result<Self, Error> {
        Self::parse(FILE).map_err(|problem| Error::Prompt {
            setting: "built-in prompts",
            path: Path::new("draft.toml").to_owned(),
            problem,
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: BTreeMap<String, BTreeMap<String, Table>> =
            toml::from_str(text).map_err(|e| e.to_string())?;
        let mut sets = BTreeMap::new();
        for (lang, mut tables) in file {
            let mut set = BTreeMap::new();
            for (name, task) in TABLES {
                let table = tables.remove(name);
                let table = table.ok_or_else(|| format!("[{lang}.{name}] is missing"))?;
                let user = Slots::parse(&table.user, &["passage"])
                    .map_err(|e| format!("{lang}.{name}.user: {e}"))?;
                let asked = Asked {
                    system: table.system,
                    user,
                    examples: table.example,
                };
                set.insert(task, asked);
            }
            if let Some(unknown) = tables.keys().next() {
                return Err(format!("[{lang}.{unknown}] is unknown"));
            }
            sets.insert(lang, set);
        }
        match sets.contains_key("en") {
            true => Ok(Self { sets }),
            false => Err("there is no English set".to_owned()),
        }
    }

    /// Rules, examples and the passage; English for a language that has no set.
    pub(crate) fn turns(&self, task: DraftTask, passage: &str, lang: Lang) -> Vec<Turn> {
        let set = self.sets.get(&lang.to_string());
        let asked = set
            .or_else(|| self.sets.get("en"))
            .and_then(|set| set.get(&task));
        let Some(asked) = asked else {
            return Vec::new();
        };
        let user = |passage| Turn::new(Role::User, asked.user.fill(&[("passage", passage)]));
        let mut turns = vec![Turn::new(Role::System, &*asked.system)];
        for example in &asked.examples {
            turns.push(user(&example.passage));
            turns.push(Turn::new(Role::Assistant, &*example.said));
        }
        turns.push(user(passage));
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_asks_for_every_style_with_examples() {
        let prompts = DraftPrompts::load().expect("the shipped prompts");
        let cases = [
            (Lang::En, "Passage: P"),
            (Lang::Es, "Pasaje: P"),
            (Lang::Other, "Passage: P"),
        ];
        for (lang, last) in cases {
            for (name, task) in TABLES {
                let turns = prompts.turns(task, "P", lang);
                assert_eq!(turns.len(), 6, "{name}");
                assert!(turns[5].text.starts_with(last), "{name}");
            }
        }
        let said = prompts.turns(DraftTask::Plain, "P", Lang::Es);
        assert!(said[2].text.ends_with("\nRespuesta: nueve días"));
    }

    #[test]
    fn faults_of_a_file_are_named() {
        let fault = |old: &str, new: &str| {
            let text = FILE.replacen(old, new, 1);
            assert_ne!(text, FILE);
            DraftPrompts::parse(&text).err().unwrap_or_default()
        };
        let user = "Passage: {passage}";
        assert_eq!(
            fault(user, "Passage: {text}"),
            "en.plain.user: it has no slot {text}; it has {passage}"
        );
        assert_eq!(
            fault(user, "Passage"),
            "en.plain.user: the slot {passage} is missing"
        );
        assert!(fault("[es.colloquial]", "[es.slang]").contains("missing field `system`"));
        assert!(fault("said =", "answer =").contains("answer"));
    }
}
