//! Reading prompts and generating answers with loaded weights.

use std::path::Path;

use candle_core::Device;
use fiel_models::llm::{BLOCK, ChatTokenizer, Decoder};

use crate::{
    Error, Observer,
    completion::{Completion, CompletionRequest},
    sampling::argmax,
};

/// Maximum of tokens in a prompt with its answer.
pub(crate) const POSITIONS: usize = 4096;

/// Weights with the prompt that was read last, whose beginning need not be read again.
pub(crate) struct LoadedModel {
    decoder: Decoder,
    prompt: Vec<u32>,
}

impl LoadedModel {
    pub(crate) fn new(
        path: &Path,
        device: &Device,
        tokenizer: &ChatTokenizer,
    ) -> Result<Self, Error> {
        let mut decoder = Decoder::load(path, device, POSITIONS)?;
        // The first pass repacks the weights for the machine, which is part of loading.
        decoder.forward(&tokenizer.encode("warm up"))?;
        decoder.truncate(0);
        Ok(Self { decoder, prompt: Vec::new() })
    }

    /// Reads a prompt, without the prefix that it shares with the last one, and returns the logits
    /// of the next token. `answer` is the number of tokens that must fit behind the prompt.
    pub(crate) fn read(&mut self, tokens: Vec<u32>, answer: usize) -> Result<Vec<f32>, Error> {
        let capacity = self.decoder.capacity();
        if tokens.len() + answer > capacity {
            return Err(Error::TooLong { tokens: tokens.len(), answer, capacity });
        }
        // Nothing counts as read if the pass fails.
        let last = std::mem::take(&mut self.prompt);
        self.decoder.truncate(shared_prefix(&last, &tokens));
        let logits = self.decoder.forward(&tokens[self.decoder.len()..])?;
        self.prompt = tokens;
        Ok(logits)
    }

    /// Generates the answer to a prompt. The observer receives its text.
    pub(crate) fn generate(
        &mut self,
        tokenizer: &ChatTokenizer,
        request: &CompletionRequest<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Completion, Error> {
        let mut logits = self.read(tokenizer.encode(request.prompt), request.max_tokens)?;
        for _ in 0..request.sampling.skipped {
            skip_likeliest(&mut logits, tokenizer);
        }
        let mut draws = request.sampling.draws(request.prompt);
        let mut text = tokenizer.detokenizer();
        let mut answer_tokens = 0;
        while answer_tokens < request.max_tokens {
            let next = draws.next(&logits);
            if tokenizer.is_stop(next) {
                break;
            }
            answer_tokens += 1;
            observer.text(&text.push(next));
            if answer_tokens < request.max_tokens {
                logits = self.decoder.forward(&[next])?;
            }
        }
        Ok(Completion {
            text: text.text().trim().to_owned(),
            prompt_tokens: self.prompt.len(),
            answer_tokens,
            ..Completion::default()
        })
    }
}

/// Makes the likeliest token impossible that does not end the answer, and the likelier ones that
/// do.
fn skip_likeliest(logits: &mut [f32], tokenizer: &ChatTokenizer) {
    loop {
        let likeliest = argmax(logits);
        logits[likeliest as usize] = f32::NEG_INFINITY;
        if !tokenizer.is_stop(likeliest) {
            return;
        }
    }
}

/// The number of tokens of a prompt that need not be read again: whole blocks that the last prompt
/// began with, but never all tokens, because the logits of the last one are needed.
fn shared_prefix(last: &[u32], tokens: &[u32]) -> usize {
    let equal = last.iter().zip(tokens).take_while(|(a, b)| a == b).count();
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
