use std::{collections::BTreeMap, path::Path};

use fiel_metrics::Lang;
use fiel_models::llm::{Role, Turn};
use serde::Deserialize;

use crate::{Error, slots::Slots};

/// The shipped file.
const FILE: &str = include_str!("../prompts/draft.toml");

/// Something to be written for a gold set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftTask<'a> {
    /// A question that a passage answers, and its answer in the words of the passage.
    Plain {
        /// Headings and text.
        passage: &'a str,
    },
    /// A question as someone would type it to a friend.
    Colloquial {
        /// The same question in plain words.
        question: &'a str,
    },
    /// A question about the subject of a passage that the passage does not answer.
    Unanswerable {
        /// Headings and text.
        passage: &'a str,
    },
}

/// What is asked for drafts, by ISO code of the language.
pub(crate) struct DraftPrompts {
    sets: BTreeMap<String, BTreeMap<String, Asked>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    system: String,
    user: String,
    #[serde(default)]
    example: Vec<Example>,
}

/// A turn that went before. It fills the slot that its task has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    passage: Option<String>,
    question: Option<String>,
    said: String,
}

struct Asked {
    system: String,
    user: Slots,
    examples: Vec<(String, String)>,
}

impl DraftTask<'_> {
    /// Every table of a language, with its slot.
    const ALL: [(&'static str, &'static str); 3] = [
        ("plain", "passage"),
        ("colloquial", "question"),
        ("unanswerable", "passage"),
    ];

    fn parts(&self) -> (&'static str, &'static str, &str) {
        let (at, text) = match self {
            Self::Plain { passage } => (0, passage),
            Self::Colloquial { question } => (1, question),
            Self::Unanswerable { passage } => (2, passage),
        };
        let (table, slot) = Self::ALL[at];
        (table, slot, text)
    }
}

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
            for (name, slot) in DraftTask::ALL {
                let table = tables.remove(name);
                let table = table.ok_or_else(|| format!("[{lang}.{name}] is missing"))?;
                let asked = Asked::new(table, slot).map_err(|e| format!("{lang}.{name}: {e}"))?;
                set.insert(name.to_owned(), asked);
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

    /// Rules, examples and what is asked; English for a language that has no set.
    pub(crate) fn turns(&self, task: DraftTask<'_>, lang: Lang) -> Vec<Turn> {
        let (table, slot, text) = task.parts();
        let set = self.sets.get(&lang.to_string());
        let asked = set
            .or_else(|| self.sets.get("en"))
            .and_then(|s| s.get(table));
        let Some(asked) = asked else {
            return Vec::new();
        };
        let mut turns = vec![Turn::new(Role::System, &*asked.system)];
        for (given, said) in &asked.examples {
            turns.push(Turn::new(Role::User, asked.user.fill(&[(slot, given)])));
            turns.push(Turn::new(Role::Assistant, &**said));
        }
        turns.push(Turn::new(Role::User, asked.user.fill(&[(slot, text)])));
        turns
    }
}

impl Asked {
    fn new(table: Table, slot: &str) -> Result<Self, String> {
        let given = |example: Example| {
            let (own, other) = match slot {
                "passage" => (example.passage, example.question),
                _ => (example.question, example.passage),
            };
            match (own, other) {
                (Some(given), None) => Ok((given, example.said)),
                _ => Err(format!("an example must give `{slot}` and nothing else")),
            }
        };
        Ok(Self {
            system: table.system,
            user: Slots::parse(&table.user, &[slot])?,
            examples: table
                .example
                .into_iter()
                .map(given)
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_asks_for_every_style_with_examples() {
        let prompts = DraftPrompts::load().expect("the shipped prompts");
        for (lang, word, ask) in [
            (Lang::En, "Passage: P", "Rewrite: Q?"),
            (Lang::Es, "Pasaje: P", "Reescribe: Q?"),
        ] {
            let turns = prompts.turns(DraftTask::Plain { passage: "P" }, lang);
            assert_eq!(turns.len(), 6);
            assert_eq!(turns[5].text, word);
            let turns = prompts.turns(DraftTask::Unanswerable { passage: "P" }, lang);
            assert_eq!(turns[5].text, word);
            let turns = prompts.turns(DraftTask::Colloquial { question: "Q?" }, lang);
            assert_eq!(turns[5].text, ask);
        }
        let other = prompts.turns(DraftTask::Plain { passage: "P" }, Lang::Other);
        assert_eq!(other[5].text, "Passage: P");
    }

    #[test]
    fn faults_of_a_file_are_named() {
        let fault = |old: &str, new: &str| {
            let text = FILE.replacen(old, new, 1);
            assert_ne!(text, FILE);
            DraftPrompts::parse(&text).err().unwrap_or_default()
        };
        assert_eq!(
            fault("Passage: {passage}", "Passage: {text}"),
            "en.plain: it has no slot {text}; it has {passage}"
        );
        assert_eq!(
            fault("Passage: {passage}", "Passage"),
            "en.plain: the slot {passage} is missing"
        );
        assert_eq!(
            fault("[es.colloquial]", "[es.slang]"),
            "[es.colloquial] is missing"
        );
        let example = "[[en.colloquial.example]]\nquestion";
        assert_eq!(
            fault(example, "[[en.colloquial.example]]\npassage"),
            "en.colloquial: an example must give `question` and nothing else"
        );
    }
}
