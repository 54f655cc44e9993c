use std::path::PathBuf;

use candle_core::Device;
use fiel_metrics::Lang;
use fiel_models::{
    ModelFiles,
    llm::{BLOCK, ChatTokenizer, Decoder},
};

use crate::{Error, Passage, prompt};

/// Positions kept for prompt and answer together.
const POSITIONS: usize = 4096;

/// A chat model that reads passages. The tokenizer is there from the start, the weights from the
/// first question that no cache answers.
pub(crate) struct LlmReader {
    path: PathBuf,
    device: Device,
    tokenizer: ChatTokenizer,
    decoder: Option<Decoder>,
    /// Tokens of the prompt that the decoder has read last.
    read: Vec<u32>,
    max_answer: usize,
}

/// What a generation gave.
pub(crate) struct Generated {
    pub text: String,
    pub prompt_tokens: usize,
    pub answer_tokens: usize,
}

impl LlmReader {
    pub(crate) fn new(
        files: &ModelFiles,
        device: &Device,
        max_answer: usize,
    ) -> Result<Self, Error> {
        let path = files.gguf()?.to_owned();
        let tokenizer = ChatTokenizer::load(&path)?;
        if ["<|im_start|>", "<|im_end|>"]
            .iter()
            .any(|marker| tokenizer.id(marker).is_none())
        {
            return Err(Error::NotChatml {
                path: path.display().to_string(),
            });
        }
        Ok(Self {
            path,
            device: device.clone(),
            tokenizer,
            decoder: None,
            read: Vec::new(),
            max_answer,
        })
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    pub(crate) fn prompt(&self, question: &str, passages: &[Passage], lang: Lang) -> String {
        prompt::chatml(question, passages, lang)
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.decoder.is_some()
    }

    /// Loads the weights now rather than with the first question.
    pub(crate) fn decoder(&mut self) -> Result<&mut Decoder, Error> {
        if self.decoder.is_none() {
            let mut decoder = Decoder::load(&self.path, &self.device, POSITIONS)?;
            // The first pass packs the weights anew for the machine; that is loading, not reading.
            let warm = self.tokenizer.encode("warm up");
            decoder.forward(&warm)?;
            decoder.truncate(0);
            self.decoder = Some(decoder);
        }
        self.decoder
            .as_mut()
            .ok_or_else(|| candle_core::Error::Msg("no decoder".into()).into())
    }

    /// Greedy continuation of a prompt; `sink` is given the text as it becomes certain.
    pub(crate) fn generate(
        &mut self,
        prompt: &str,
        sink: &mut dyn FnMut(&str),
    ) -> Result<Generated, Error> {
        let tokens = self.tokenizer.encode(prompt);
        let prompt_tokens = tokens.len();
        let max_answer = self.max_answer;
        let before = std::mem::take(&mut self.read);
        let decoder = self.decoder()?;
        let capacity = decoder.capacity();
        if tokens.len() + max_answer > capacity {
            return Err(Error::TooLong {
                tokens: tokens.len(),
                answer: max_answer,
                capacity,
            });
        }
        decoder.truncate(shared_prefix(&before, &tokens));
        let mut logits = decoder.forward(&tokens[decoder.len()..])?;
        self.read = tokens;
        let Self {
            decoder: Some(decoder),
            tokenizer,
            ..
        } = self
        else {
            return Err(candle_core::Error::Msg("no decoder".into()).into());
        };
        let mut text = tokenizer.detokenizer();
        let mut answer_tokens = 0;
        while answer_tokens < max_answer {
            let next = argmax(&logits);
            if tokenizer.is_stop(next) {
                break;
            }
            answer_tokens += 1;
            sink(&text.push(next));
            if answer_tokens < max_answer {
                logits = decoder.forward(&[next])?;
            }
        }
        Ok(Generated {
            text: text.text().trim().to_owned(),
            prompt_tokens,
            answer_tokens,
        })
    }
}

/// Positions of a new prompt that need not be read again: whole blocks equal to the last prompt,
/// and never all of it, for the last token's logits are wanted.
fn shared_prefix(before: &[u32], tokens: &[u32]) -> usize {
    let equal = before
        .iter()
        .zip(tokens)
        .take_while(|(a, b)| a == b)
        .count();
    equal.min(tokens.len().saturating_sub(1)) / BLOCK * BLOCK
}

/// The first of the largest logits.
fn argmax(logits: &[f32]) -> u32 {
    let mut best = 0;
    for (at, &logit) in logits.iter().enumerate() {
        if logit > logits[best] {
            best = at;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_shared_in_whole_blocks_and_never_whole() {
        let block = BLOCK as u32;
        let long: Vec<u32> = (0..3 * block + 7).collect();
        assert_eq!(shared_prefix(&long, &long), 3 * BLOCK);
        let whole = &long[..2 * BLOCK];
        assert_eq!(shared_prefix(whole, whole), BLOCK);
        assert_eq!(shared_prefix(&long[..BLOCK + 5], &long), BLOCK);
        assert_eq!(shared_prefix(&[9], &long), 0);
        assert_eq!(shared_prefix(&[], &[]), 0);
    }

    #[test]
    fn the_first_of_equal_logits_wins() {
        assert_eq!(argmax(&[0.0, 2.0, 2.0, 1.0]), 1);
    }
}
