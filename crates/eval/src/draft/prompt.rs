//! The prompts of the drafter.

use std::path::Path;

use fiel_gold::DraftTask;
use fiel_models::llm::{Role, Turn};
use fiel_reader::{PromptFault, PromptTemplate};
use fiel_text::Lang;
use serde::Deserialize;

use crate::Error;

/// The shipped file.
const FILE: &str = include_str!("../../prompts/draft.toml");

/// The prompts per language.
pub(crate) struct DraftPrompts {
    /// Also used for languages without prompts.
    en: TaskPrompts,
    es: TaskPrompts,
}

/// The prompts per task.
struct TaskPrompts {
    plain: DraftPrompt,
    colloquial: DraftPrompt,
    unanswerable: DraftPrompt,
}

struct DraftPrompt {
    system: String,
    user: PromptTemplate,
    examples: Vec<DraftExample>,
}

/// The prompt file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftPromptFile {
    en: TaskTables,
    es: TaskTables,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskTables {
    plain: DraftTable,
    colloquial: DraftTable,
    unanswerable: DraftTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftTable {
    system: String,
    user: String,
    #[serde(default)]
    example: Vec<DraftExample>,
}

/// An earlier turn of the conversation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftExample {
    passage: String,
    /// The draft from the passage.
    #[serde(rename = "said")]
    draft: String,
}

impl DraftPrompts {
    /// Loads the shipped prompts.
    ///
    /// # Errors
    /// With the key or slot at fault.
    pub(crate) fn load() -> Result<Self, Error> {
        let fault = |fault: PromptFault| fiel_reader::Error::Prompt {
            setting: "built-in prompts",
            path: Path::new("draft.toml").to_owned(),
            fault: Box::new(fault),
        };
        Ok(Self::parse(FILE).map_err(fault)?)
    }

    fn parse(text: &str) -> Result<Self, PromptFault> {
        let file: DraftPromptFile = toml::from_str(text)?;
        Ok(Self { en: file.en.parse("en")?, es: file.es.parse("es")? })
    }

    /// The conversation up to the draft.
    pub(crate) fn turns(&self, task: DraftTask, passage: &str, lang: Lang) -> Vec<Turn> {
        let prompts = match lang {
            Lang::Es => &self.es,
            _ => &self.en,
        };
        let prompt = match task {
            DraftTask::Plain => &prompts.plain,
            DraftTask::Colloquial => &prompts.colloquial,
            DraftTask::Unanswerable => &prompts.unanswerable,
        };
        let user_turn = |passage: &str| {
            let text = prompt.user.fill(&[("passage", passage)]);
            Turn::new(Role::User, text)
        };
        let mut turns = vec![Turn::new(Role::System, &*prompt.system)];
        for example in &prompt.examples {
            turns.push(user_turn(&example.passage));
            turns.push(Turn::new(Role::Assistant, &*example.draft));
        }
        turns.push(user_turn(passage));
        turns
    }
}

impl TaskTables {
    /// `lang` is the key of the tables in the file.
    fn parse(self, lang: &str) -> Result<TaskPrompts, PromptFault> {
        Ok(TaskPrompts {
            plain: self.plain.parse(&format!("{lang}.plain"))?,
            colloquial: self.colloquial.parse(&format!("{lang}.colloquial"))?,
            unanswerable: self.unanswerable.parse(&format!("{lang}.unanswerable"))?,
        })
    }
}

impl DraftTable {
    fn parse(self, key: &str) -> Result<DraftPrompt, PromptFault> {
        Ok(DraftPrompt {
            user: PromptTemplate::parse(&format!("{key}.user"), &self.user, &["passage"])?,
            system: self.system,
            examples: self.example,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_prompts_with_examples_for_every_task() {
        let prompts = DraftPrompts::load().expect("the shipped prompts");
        let cases =
            [(Lang::En, "Passage: P"), (Lang::Es, "Pasaje: P"), (Lang::Other, "Passage: P")];
        let tasks = [DraftTask::Plain, DraftTask::Colloquial, DraftTask::Unanswerable];
        for (lang, last) in cases {
            for task in tasks {
                let turns = prompts.turns(task, "P", lang);
                assert_eq!(turns.len(), 6, "{task:?}");
                assert!(turns[5].text.starts_with(last), "{task:?}");
            }
        }
        let turns = prompts.turns(DraftTask::Plain, "P", Lang::Es);
        assert!(turns[2].text.ends_with("\nRespuesta: nueve días"));
    }

    #[test]
    fn faults_of_a_file_are_named() {
        let fault = |old: &str, new: &str| {
            let text = FILE.replace(old, new);
            assert_ne!(text, FILE);
            let parsed = DraftPrompts::parse(&text).err();
            parsed.map(|fault| fault.to_string()).unwrap_or_default()
        };
        let user = "Passage: {passage}";
        assert_eq!(
            fault(user, "Passage: {text}"),
            "en.plain.user: unknown slot {text}; the slots are {passage}"
        );
        assert_eq!(fault(user, "Passage"), "en.plain.user: the slot {passage} is missing");
        assert!(fault("es.colloquial", "es.slang").contains("unknown field `slang`"));
        assert!(fault("said =", "answer =").contains("answer"));
    }
}
