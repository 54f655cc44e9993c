//! A language model as judge: yes/no questions, and the claims of a sentence.

use std::sync::Arc;

use fiel_reader::{
    CompletionRequest, EXTRACTIVE, ModelPool, Observer, PipelineSettings, ReadSettings,
    SharedLanguageModel, YesNo,
};
use fiel_text::Lang;

use super::{
    JudgeSettings, ScorerKind,
    prompt::{JudgePrompts, JudgeQuestion},
};
use crate::Error;

/// A language model that answers yes/no questions by the probabilities of the two words, and that
/// splits sentences into claims.
#[derive(Clone)]
pub struct Judge {
    model: SharedLanguageModel,
    prompts: Arc<JudgePrompts>,
    /// Id of the model, or path of its file.
    pub(super) id: String,
    /// Whether the judge is also the reader.
    pub(super) is_reader: bool,
}

impl Judge {
    /// Loads the judge of the answers of a pipeline: `judge.model`, else the reader, else the
    /// default reader if the pipeline's is extractive.
    ///
    /// # Errors
    /// If a prompt file is faulty or the model cannot be obtained; [`Error::WeakJudge`] if it has
    /// fewer parameters than the reader.
    pub fn load(
        models: &mut ModelPool,
        pipeline: &PipelineSettings,
        settings: &JudgeSettings,
    ) -> Result<Self, Error> {
        let prompts = Arc::new(JudgePrompts::load(settings.prompt.as_deref())?);
        let model = settings.model.as_deref();
        let reader = Some(pipeline.read.model.as_str()).filter(|id| *id != EXTRACTIVE);
        let default = ReadSettings::default().model;
        let id = model.or(reader).unwrap_or(&default);
        if let Some(reader) = reader.filter(|reader| *reader != id) {
            let parameters = models.parameters("judge.model", id)?;
            let reader_parameters = models.parameters("read.model", reader)?;
            if parameters < reader_parameters {
                return Err(Error::WeakJudge {
                    judge: id.to_owned(),
                    parameters,
                    reader: reader.to_owned(),
                    reader_parameters,
                });
            }
        }
        let setting = if model.is_some() { "judge.model" } else { "read.model" };
        Ok(Self {
            model: models.language_model(setting, id, pipeline.device)?,
            prompts,
            id: id.to_owned(),
            is_reader: reader == Some(id),
        })
    }

    /// The name that its verdicts are stored under.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", ScorerKind::Judge, self.id)
    }

    /// Key of model, prompts and device. Judges with equal keys answer alike.
    pub fn key(&self) -> String {
        let model = self.model.lock();
        format!("{} judge {} {}", model.digest(), self.prompts.digest(), model.device_class())
    }

    /// Asks a yes/no question about texts in a language. Answers are cached.
    ///
    /// # Errors
    /// If the language has no prompt, the texts are too long for the model, or it fails.
    pub(crate) fn ask(&self, question: &JudgeQuestion<'_>, lang: Lang) -> Result<YesNo, Error> {
        let turns = self.prompts.question(question, lang)?;
        let mut model = self.model.lock();
        let prompt = model.render(&turns)?;
        Ok(model.yes_or_no(&prompt)?)
    }

    /// Splits a sentence into claims, by greedy decoding, and counts the tokens of prompt and
    /// claims. Answers are cached.
    ///
    /// # Errors
    /// If the language has no prompt, the sentence is too long for the model, or it fails.
    pub fn claims(&self, sentence: &str, lang: Lang) -> Result<(Vec<String>, usize), Error> {
        let turns = self.prompts.claims(sentence, lang)?;
        let mut model = self.model.lock();
        let prompt = model.render(&turns)?;
        // Enough to repeat the subject in each claim, and a bound for a model that repeats itself.
        let max_tokens = 2 * model.count(sentence) + 16;
        let request = CompletionRequest::greedy(&prompt, max_tokens);
        let completion = model.complete(&request, &mut Observer::default())?;
        let lines = completion.text.lines();
        let mut claims: Vec<String> = lines.filter_map(without_list_marker).collect();
        if completion.answer_tokens >= max_tokens {
            // The answer was cut off, so the last claim may be incomplete.
            claims.pop();
        }
        Ok((claims, completion.prompt_tokens + completion.answer_tokens))
    }
}

/// A line without the bullet or number of a list item; `None` if nothing is left.
fn without_list_marker(line: &str) -> Option<String> {
    let line = line.trim();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = if digits.len() < line.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '•'])
    };
    let text = after.filter(|rest| rest.starts_with(' ')).unwrap_or(line);
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_markers_are_not_part_of_a_claim() {
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
            assert_eq!(without_list_marker(line).as_deref(), claim, "{line}");
        }
    }
}
