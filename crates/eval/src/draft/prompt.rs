//! The prompts of the drafter.

use std::path::Path;

use fiel_gold::DraftTask;
use fiel_models::llm::Turn;
use fiel_reader::PromptFault;
use fiel_text::Lang;
use serde::Deserialize;

use crate::{
    Error,
    few_shot::{FewShot, FewShotTable},
};

/// The shipped file.
const FILE: &str = include_str!("../../prompts/draft.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByLanguage<T> {
    /// Also for languages without prompts.
    en: T,
    es: T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByTask<T> {
    plain: T,
    colloquial: T,
    unanswerable: T,
}

pub(crate) struct DraftPrompts(ByLanguage<ByTask<FewShot>>);

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
        let file: ByLanguage<ByTask<FewShotTable>> = toml::from_str(text)?;
        let parse = |lang: &str, tables: ByTask<FewShotTable>| -> Result<_, PromptFault> {
            let parse =
                |task, table: FewShotTable| table.parse(&format!("{lang}.{task}"), "passage");
            Ok(ByTask {
                plain: parse("plain", tables.plain)?,
                colloquial: parse("colloquial", tables.colloquial)?,
                unanswerable: parse("unanswerable", tables.unanswerable)?,
            })
        };
        Ok(Self(ByLanguage { en: parse("en", file.en)?, es: parse("es", file.es)? }))
    }

    /// The conversation up to the draft.
    pub(crate) fn turns(&self, task: DraftTask, passage: &str, lang: Lang) -> Vec<Turn> {
        let prompts = if lang == Lang::Es { &self.0.es } else { &self.0.en };
        let prompt = match task {
            DraftTask::Plain => &prompts.plain,
            DraftTask::Colloquial => &prompts.colloquial,
            DraftTask::Unanswerable => &prompts.unanswerable,
        };
        prompt.turns(passage)
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
