use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use fiel_metrics::Lang;
use fiel_models::DeviceClass;

use crate::{
    Error,
    judge_prompt::{JudgePrompts, JudgeQuestion},
    language_model::LanguageModel,
    sample::Sampling,
};

/// Tokens of all claims of a sentence at the most: room to name its subject in each, and an end to
/// a model that repeats itself.
fn claim_tokens(sentence: usize) -> usize {
    2 * sentence + 16
}

/// A language model that answers yes or no, read from the probabilities of the two words, and that
/// splits sentences into claims.
#[derive(Clone)]
pub struct Judge {
    pub(crate) model: Arc<Mutex<LanguageModel>>,
    pub(crate) prompts: Arc<JudgePrompts>,
    pub(crate) id: String,
    pub(crate) is_reader: bool,
    pub(crate) class: DeviceClass,
}

/// What a judge says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Probability of yes against no, in \[0, 1\].
    pub yes: f64,
    /// Tokens of the prompt.
    pub tokens: usize,
    /// Time it took; nothing when it was known.
    pub time: Duration,
}

/// What a sentence says, piece by piece, as a model has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidClaims {
    /// The claims as they were written, bullets and numbers left out.
    pub claims: Vec<String>,
    /// Tokens of prompt and claims.
    pub tokens: usize,
}

impl Judge {
    /// Whether `judge.prompt` can be used; nothing is loaded for it.
    ///
    /// # Errors
    /// Naming the file, and the key or the slot that is wrong.
    pub fn check_prompts(path: Option<&Path>) -> Result<(), Error> {
        JudgePrompts::load(path).map(|_| ())
    }

    /// Id of the model, or path of its file.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it judges its own answers.
    pub fn is_reader(&self) -> bool {
        self.is_reader
    }

    /// Names model, prompts and device: equal keys, equal judgements.
    pub fn key(&self) -> String {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "{} judge {} {}",
            model.digest(),
            self.prompts.digest(),
            self.class
        )
    }

    /// Asks one question about texts in a language; one that was asked before, in the same words,
    /// is answered from the cache.
    ///
    /// # Errors
    /// When there is no prompt for the language, the texts are too long for the model, or it fails.
    pub fn ask(&self, question: &JudgeQuestion<'_>, lang: Lang) -> Result<Judged, Error> {
        let turns = self.prompts.question(question, lang)?;
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let prompt = model.render(&turns)?;
        model.judged(&prompt)
    }

    /// Splits a sentence into claims, the likeliest way; one that was split before, in the same
    /// words, is answered from the cache.
    ///
    /// # Errors
    /// When there is no prompt for the language, the sentence is too long for the model, or it
    /// fails.
    pub fn claims(&self, sentence: &str, lang: Lang) -> Result<SaidClaims, Error> {
        let turns = self.prompts.claims(sentence, lang)?;
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let prompt = model.render(&turns)?;
        let most = claim_tokens(model.count(sentence));
        let said = model.answer(
            &prompt,
            most,
            Sampling::GREEDY,
            false,
            &mut |_| {},
            &mut || {},
        )?;
        let mut claims: Vec<String> = said.text.lines().filter_map(unmarked).collect();
        if said.answer_tokens >= most {
            // It was cut off, so the last claim may be torn.
            claims.pop();
        }
        Ok(SaidClaims {
            claims,
            tokens: said.prompt_tokens + said.answer_tokens,
        })
    }
}

/// A line without the bullet or the number of a list; none when nothing is left.
fn unmarked(line: &str) -> Option<String> {
    let line = line.trim();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '•']),
    };
    let text = after.filter(|rest| rest.starts_with(' ')).unwrap_or(line);
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_a_list_are_no_part_of_a_claim() {
        for (line, claim) in [
            ("- It is so.", Some("It is so.")),
            ("2. It is so.", Some("It is so.")),
            ("10) It is so.", Some("It is so.")),
            ("1.5 litres are enough.", Some("1.5 litres are enough.")),
            ("-ing is added.", Some("-ing is added.")),
            ("30 days.", Some("30 days.")),
            ("  ", None),
            ("- ", Some("-")),
        ] {
            assert_eq!(unmarked(line).as_deref(), claim, "{line}");
        }
    }
}
