//! The prompts of the reader model: answering, keywords, relevance.

use std::path::Path;

use fiel_models::llm::{Role, Turn};
use serde::Deserialize;

use crate::{
    Error, Passage, PassageOrder, PromptFault, PromptPair, PromptSets, PromptTable, PromptTemplate,
    ShippedPrompts, context::in_order,
};

/// Version of the built-in prompts, part of the keys of cached answers. Raise it with every change of
/// a built-in prompt.
pub(crate) const PROMPT_VERSION: u32 = 2;

const SHIPPED: ShippedPrompts = ShippedPrompts {
    setting: "read.prompt",
    version: PROMPT_VERSION,
    files: [("en", include_str!("../prompts/en.toml")), ("es", include_str!("../prompts/es.toml"))],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReaderPromptFile {
    answer: AnswerTable,
    keywords: PromptTable,
    relevance: PromptTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerTable {
    system: String,
    passage: String,
    user: String,
    #[serde(default)]
    example: Vec<AnswerExample>,
}

/// A question with a good answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerExample {
    /// Passages, best first.
    passages: Vec<String>,
    question: String,
    answer: String,
}

pub(crate) struct ReaderPrompts {
    system: String,
    passage: PromptTemplate,
    user: PromptTemplate,
    examples: Vec<AnswerExample>,
    /// Asks for keywords to search for.
    pub keywords: PromptPair,
    /// Asks whether a passage answers a question, yes or no.
    pub relevance: PromptPair,
}

/// Loads the shipped prompts, or those at `path` (`read.prompt`); see [`PromptSets::load`].
pub(crate) fn load_prompts(path: Option<&Path>) -> Result<PromptSets<ReaderPrompts>, Error> {
    PromptSets::load(&SHIPPED, path, ReaderPrompts::parse)
}

impl ReaderPrompts {
    fn parse(text: &str) -> Result<Self, PromptFault> {
        let ReaderPromptFile { answer, keywords, relevance } = toml::from_str(text)?;
        Ok(Self {
            passage: PromptTemplate::parse("answer.passage", &answer.passage, &["id", "text"])?,
            user: PromptTemplate::parse("answer.user", &answer.user, &["passages", "question"])?,
            system: answer.system,
            examples: answer.example,
            keywords: keywords.parse("keywords", &["question"])?,
            relevance: relevance.parse("relevance", &["question", "passage"])?,
        })
    }

    /// The conversation up to the answer: system prompt, examples as earlier turns, passages and
    /// question. Passages are given best first and put in `order`, also those of the examples.
    pub(crate) fn answer(
        &self,
        question: &str,
        passages: &[Passage],
        order: PassageOrder,
    ) -> Vec<Turn> {
        let mut turns = vec![Turn::new(Role::System, &*self.system)];
        for example in &self.examples {
            let passage = |(id, text): (usize, &String)| Passage {
                id: id.to_string(),
                text: text.clone(),
                ..Passage::default()
            };
            let passages: Vec<Passage> = (1..).zip(&example.passages).map(passage).collect();
            turns.push(self.user_turn(&example.question, &in_order(&passages, order)));
            turns.push(Turn::new(Role::Assistant, &*example.answer));
        }
        turns.push(self.user_turn(question, &in_order(passages, order)));
        turns
    }

    fn user_turn(&self, question: &str, passages: &[&Passage]) -> Turn {
        let filled = |p: &&Passage| self.passage.fill(&[("id", &p.id), ("text", &p.text)]);
        let passages: String = passages.iter().map(filled).collect();
        let values = [("passages", &*passages), ("question", question)];
        Turn::new(Role::User, self.user.fill(&values))
    }
}

#[cfg(test)]
mod tests {
    use fiel_text::Lang;

    use super::*;

    fn passages(texts: &[&str]) -> Vec<Passage> {
        let passage = |(id, text): (usize, &&str)| Passage {
            id: id.to_string(),
            text: text.to_string(),
            ..Passage::default()
        };
        (1..).zip(texts).map(passage).collect()
    }

    fn built_in() -> PromptSets<ReaderPrompts> {
        load_prompts(None).expect("the shipped prompts")
    }

    /// The turns of the shipped prompt for a question about passages.
    fn turns(question: &str, texts: &[&str], order: PassageOrder, lang: Lang) -> Vec<Turn> {
        built_in().get(lang).expect("a set").answer(question, &passages(texts), order)
    }

    /// Cached answers are those to this prompt, byte for byte.
    #[test]
    fn the_shipped_prompt_is_the_one_that_was_measured() {
        let chat = fiel_models::llm::ChatTemplate::chatml(Path::new("m.gguf")).expect("ChatML");
        let english = turns("Why?", &["Because.", "So."], PassageOrder::BestLast, Lang::En);
        assert_eq!(
            chat.render(&english).expect("rendered"),
            "<|im_start|>system\nAnswer with the fewest exact words from the passages, then cite the \
             passage. If they do not answer the question: I don't know.<|im_end|>\n<|im_start|>user\n\
             [2] Coffee beans keep for a month.\n[1] Green tea keeps for a year.\nQuestion: How long \
             do beans stay good?<|im_end|>\n<|im_start|>assistant\na month [2]<|im_end|>\n\
             <|im_start|>user\n[2] So.\n[1] Because.\nQuestion: Why?<|im_end|>\n\
             <|im_start|>assistant\n"
        );
        let spanish = turns("¿Y?", &["No."], PassageOrder::BestLast, Lang::Es);
        let text = chat.render(&spanish).expect("rendered");
        assert!(text.contains(
            "pregunta: No lo sé.<|im_end|>\n<|im_start|>user\n[2] El café en grano dura un mes.\n\
             [1] El té verde dura un año.\nPregunta: ¿Cuánto aguanta el café?<|im_end|>\n\
             <|im_start|>assistant\nun mes [2]<|im_end|>\n<|im_start|>user\n[1] No.\nPregunta: ¿Y?"
        ));
    }

    #[test]
    fn the_example_follows_the_order_of_the_passages() {
        let turns = turns("Q?", &["a", "b"], PassageOrder::BestFirst, Lang::Other);
        assert!(turns[1].text.starts_with("[1] Green"), "{}", turns[1].text);
        assert_eq!(turns[3].text, "[1] a\n[2] b\nQuestion: Q?");
    }

    #[test]
    fn custom_files_are_read_and_their_faults_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("es.toml");
        let shipped = SHIPPED.files[1].1;
        std::fs::write(&path, shipped.replace("Pregunta:", "P:")).expect("written");
        let from_folder = load_prompts(Some(dir.path())).expect("loads");
        let spanish = from_folder.get(Lang::Es).expect("Spanish");
        let turns = spanish.answer("x", &[], PassageOrder::BestLast);
        assert_eq!(turns.last().map(|t| t.text.as_str()), Some("P: x"));
        let error = from_folder.get(Lang::En).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("en.toml"), "{error}");
        let from_file = load_prompts(Some(&path)).expect("loads");
        assert!(from_file.get(Lang::En).is_ok());
        assert_ne!(from_file.digest(), built_in().digest());
        for (old, new, part) in [
            ("{id}", "", "answer.passage: the slot {id} is missing"),
            ("{text}", "{txt}{text}", "unknown slot {txt}"),
            ("[keywords]", "[words]", "unknown field `words`"),
        ] {
            std::fs::write(&path, shipped.replace(old, new)).expect("written");
            let error = load_prompts(Some(&path)).err().map(|e| e.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains("es.toml") && error.contains(part), "{error}");
        }
    }
}
