//! Prompts whose form is shown by earlier turns.

use fiel_models::llm::{Role, Turn};
use fiel_reader::{PromptFault, PromptTemplate};
use serde::Deserialize;

/// A system prompt, a template with one slot, and examples, as a table of a prompt file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FewShotTable {
    system: String,
    user: String,
    #[serde(default)]
    example: Vec<Example>,
}

/// An earlier turn: what fills the slot, and the model's text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    #[serde(alias = "passage", alias = "sentence")]
    input: String,
    #[serde(alias = "said", alias = "claims")]
    output: String,
}

pub(crate) struct FewShot {
    system: String,
    user: PromptTemplate,
    slot: &'static str,
    examples: Vec<Example>,
}

impl FewShotTable {
    /// `key` is the name of the table.
    pub(crate) fn parse(self, key: &str, slot: &'static str) -> Result<FewShot, PromptFault> {
        let user = PromptTemplate::parse(&format!("{key}.user"), &self.user, &[slot])?;
        Ok(FewShot { system: self.system, user, slot, examples: self.example })
    }
}

impl FewShot {
    /// The conversation up to the text of the model.
    pub(crate) fn turns(&self, input: &str) -> Vec<Turn> {
        let user = |input: &str| Turn::new(Role::User, self.user.fill(&[(self.slot, input)]));
        let mut turns = vec![Turn::new(Role::System, &*self.system)];
        for example in &self.examples {
            turns.push(user(&example.input));
            turns.push(Turn::new(Role::Assistant, &*example.output));
        }
        turns.push(user(input));
        turns
    }
}
