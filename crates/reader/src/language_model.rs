use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use candle_core::Device;
use fiel_models::{
    DeviceClass, ModelFiles,
    llm::{BLOCK, ChatTokenizer, Decoder, Turn},
};

use crate::{
    Error, Judged,
    cache::{AnswerCache, Stored},
    prompt::PROMPT_VERSION,
    sample::{Sampling, argmax},
};

/// Positions kept for prompt and answer together.
const POSITIONS: usize = 4096;

/// A chat model with all it said before. The tokenizer is there from the start, the weights from
/// the first prompt that the cache does not know.
pub(crate) struct LanguageModel {
    path: PathBuf,
    digest: String,
    class: DeviceClass,
    device: Device,
    caches: PathBuf,
    tokenizer: ChatTokenizer,
    /// Tokens that mean yes, and those that mean no.
    yes_no: [Vec<u32>; 2],
    decoder: Option<Decoder>,
    /// Tokens of the prompt that the decoder has read last.
    read: Vec<u32>,
}

/// Makes an answer that the cache does not know, and tells it as it comes.
type Make<'a> = dyn FnMut(&mut LanguageModel, &mut dyn FnMut(&str)) -> Result<Stored, Error> + 'a;

/// What a prompt gave.
pub(crate) struct Said {
    pub text: String,
    pub prompt_tokens: usize,
    pub answer_tokens: usize,
    pub time: Duration,
    /// Whether it came from the cache; `time` then says nothing about the model.
    pub cached: bool,
}

impl LanguageModel {
    pub(crate) fn new(
        files: &ModelFiles,
        device: &Device,
        class: DeviceClass,
        caches: &Path,
    ) -> Result<Self, Error> {
        let path = files.gguf()?.to_owned();
        let tokenizer = ChatTokenizer::load(&path)?;
        if tokenizer.chat_template().is_none() {
            return Err(Error::NoChat {
                path: path.display().to_string(),
            });
        }
        let ids = |words: [&str; 2]| words.iter().filter_map(|w| tokenizer.id(w)).collect();
        Ok(Self {
            path,
            digest: files.digest(),
            class,
            device: device.clone(),
            caches: fiel_store::GeneratedFolder::Answers.path(caches),
            yes_no: [ids(["yes", "Yes"]), ids(["no", "No"])],
            tokenizer,
            decoder: None,
            read: Vec::new(),
        })
    }

    /// Digest of the model's file.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Positions for prompt and answer together.
    pub(crate) fn capacity(&self) -> usize {
        POSITIONS.min(self.tokenizer.context())
    }

    /// A conversation as the model was trained to see it, up to where it answers. What was said by
    /// people and documents holds no marker of the model.
    pub(crate) fn render(&self, turns: &[Turn]) -> Result<String, Error> {
        let template = self
            .tokenizer
            .chat_template()
            .ok_or_else(|| Error::NoChat {
                path: self.path.display().to_string(),
            })?;
        let defused: Vec<Turn> = turns
            .iter()
            .map(|turn| Turn::new(turn.role, self.tokenizer.defused(&turn.text)))
            .collect();
        Ok(template.render(&defused)?)
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    /// The answer to a prompt, of at most `most` tokens, from the cache unless `fresh`.
    /// `sink` is given the text as it becomes certain; `loading` is called before the weights are
    /// read.
    pub(crate) fn answer(
        &mut self,
        prompt: &str,
        most: usize,
        sampling: Sampling,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        loading: &mut dyn FnMut(),
    ) -> Result<Said, Error> {
        let (Self { digest, class, .. }, how) = (&*self, sampling.key());
        let identity = format!("{digest} prompt {PROMPT_VERSION} {how} {most} {class}");
        self.remembered(
            identity,
            prompt,
            fresh,
            sink,
            loading,
            &mut |model, sink| model.generate(prompt, most, sampling, sink),
        )
    }

    /// The probability of "yes" against "no" as the first token of the answer to a prompt.
    pub(crate) fn yes(&mut self, prompt: &str) -> Result<f64, Error> {
        Ok(self.judged(prompt)?.yes)
    }

    /// The same with what it cost.
    pub(crate) fn judged(&mut self, prompt: &str) -> Result<Judged, Error> {
        let Self { digest, class, .. } = self;
        let identity = format!("{digest} yes {class}");
        let mut judge = |model: &mut Self, _: &mut dyn FnMut(&str)| {
            let logits = model.logits(prompt, 0)?;
            let mass = |ids: &[u32]| -> f64 {
                let most = f64::from(logits[argmax(&logits) as usize]);
                let exp = |id: &u32| (f64::from(logits[*id as usize]) - most).exp();
                ids.iter().map(exp).sum()
            };
            let (yes, no) = (mass(&model.yes_no[0]), mass(&model.yes_no[1]));
            Ok(Stored {
                text: (yes / (yes + no).max(f64::MIN_POSITIVE)).to_string(),
                prompt_tokens: model.read.len(),
                answer_tokens: 0,
            })
        };
        let said = self.remembered(identity, prompt, false, &mut |_| {}, &mut || {}, &mut judge)?;
        let yes = said.text.parse().map_err(|_| {
            Error::Tensor(candle_core::Error::Msg(format!(
                "`{}` is no probability",
                said.text
            )))
        })?;
        Ok(Judged {
            yes,
            tokens: said.prompt_tokens,
            time: said.time,
        })
    }

    /// What the cache knows, else what `make` gives, which is then kept.
    fn remembered(
        &mut self,
        identity: String,
        prompt: &str,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        loading: &mut dyn FnMut(),
        make: &mut Make<'_>,
    ) -> Result<Said, Error> {
        let cache = AnswerCache::new(&self.caches, identity);
        let said = |stored: Stored, time, cached| Said {
            text: stored.text,
            prompt_tokens: stored.prompt_tokens,
            answer_tokens: stored.answer_tokens,
            time,
            cached,
        };
        if let (false, Some(stored)) = (fresh, cache.get(prompt)?) {
            sink(&stored.text);
            return Ok(said(stored, Duration::ZERO, true));
        }
        if self.decoder.is_none() {
            loading();
            self.decoder()?;
        }
        let started = Instant::now();
        let stored = make(self, sink)?;
        let time = started.elapsed();
        cache.put(prompt, &stored)?;
        Ok(said(stored, time, false))
    }

    fn decoder(&mut self) -> Result<&mut Decoder, Error> {
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

    /// Reads a prompt, what it shares with the last one not again. `answer`: tokens that are to
    /// follow.
    fn logits(&mut self, prompt: &str, answer: usize) -> Result<Vec<f32>, Error> {
        let tokens = self.tokenizer.encode(prompt);
        let before = std::mem::take(&mut self.read);
        let decoder = self.decoder()?;
        let capacity = decoder.capacity();
        if tokens.len() + answer > capacity {
            return Err(Error::TooLong {
                tokens: tokens.len(),
                answer,
                capacity,
            });
        }
        decoder.truncate(shared_prefix(&before, &tokens));
        let logits = decoder.forward(&tokens[decoder.len()..])?;
        self.read = tokens;
        Ok(logits)
    }

    /// Makes the likeliest token, and any that would end the answer before, impossible.
    fn pass_over(&self, logits: &mut [f32]) {
        loop {
            let likeliest = argmax(logits);
            logits[likeliest as usize] = f32::NEG_INFINITY;
            if !self.tokenizer.is_stop(likeliest) {
                return;
            }
        }
    }

    fn generate(
        &mut self,
        prompt: &str,
        most: usize,
        sampling: Sampling,
        sink: &mut dyn FnMut(&str),
    ) -> Result<Stored, Error> {
        let mut logits = self.logits(prompt, most)?;
        for _ in 0..sampling.passed_over {
            self.pass_over(&mut logits);
        }
        let mut draws = sampling.draws(prompt);
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
        while answer_tokens < most {
            let next = draws.next(&logits);
            if tokenizer.is_stop(next) {
                break;
            }
            answer_tokens += 1;
            sink(&text.push(next));
            if answer_tokens < most {
                logits = decoder.forward(&[next])?;
            }
        }
        Ok(Stored {
            text: text.text().trim().to_owned(),
            prompt_tokens: self.read.len(),
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
}
