use std::{fs::File, io::BufReader, path::Path};

use candle_core::quantized::{gguf_file::Content, tokenizer::TokenizerFromGguf};
use tokenizers::{
    PreTokenizerWrapper, Tokenizer,
    pre_tokenizers::{byte_level::ByteLevel, digits::Digits, sequence::Sequence},
};

use super::config::{DecoderConfig, load};
use crate::Result;

/// The tokenizer of a chat model, read from its GGUF file, and the tokens that end its turn.
pub struct ChatTokenizer {
    inner: Tokenizer,
    stop: Vec<u32>,
    context: usize,
}

impl ChatTokenizer {
    /// # Errors
    /// When the file is not GGUF or its vocabulary is not of the GPT-2 kind.
    pub fn load(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| load(path, e.to_string()))?;
        let content = Content::read(&mut BufReader::new(file))
            .map_err(|e| load(path, format!("not a GGUF file: {e}")))?;
        let mut inner =
            Tokenizer::from_gguf(&content).map_err(|e| load(path, format!("tokenizer: {e}")))?;
        let text = |key: &str| content.metadata.get(key).and_then(|v| v.to_string().ok());
        if text("tokenizer.ggml.pre").is_some_and(|pre| pre == "smollm") {
            // Candle's reader leaves out that SmolLM splits digits one by one.
            let steps: Vec<PreTokenizerWrapper> = vec![
                Digits::new(true).into(),
                ByteLevel::new(false, true, true).into(),
            ];
            inner.with_pre_tokenizer(Some(Sequence::new(steps)));
        }
        // GGUF tokenizers take text as it comes; llama.cpp composes nothing either.
        inner
            .with_normalizer(None::<tokenizers::NormalizerWrapper>)
            .map_err(|e| load(path, format!("tokenizer: {e}")))?;
        let stop = stop_tokens(&content, &inner);
        let context = DecoderConfig::from_gguf(&content, path)?.context;
        Ok(Self {
            inner,
            stop,
            context,
        })
    }

    /// Positions that the model was trained for.
    pub fn context(&self) -> usize {
        self.context
    }

    /// Token ids of a text in which the markers of the chat template count as such; no marker is
    /// added.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        // A byte-level vocabulary has a token for every byte, so encoding cannot fail.
        self.inner
            .encode_fast(text, false)
            .map(|e| e.get_ids().to_vec())
            .unwrap_or_default()
    }

    /// Number of tokens of a text.
    pub fn count(&self, text: &str) -> usize {
        self.encode(text).len()
    }

    /// Whether the token ends an answer.
    pub fn is_stop(&self, token: u32) -> bool {
        self.stop.contains(&token)
    }

    /// The id of a token written exactly like this.
    pub fn id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    /// Turns tokens into text as they come.
    pub fn detokenizer(&self) -> Detokenizer<'_> {
        Detokenizer {
            tokenizer: self,
            ids: Vec::new(),
            given: 0,
        }
    }
}

fn stop_tokens(content: &Content, tokenizer: &Tokenizer) -> Vec<u32> {
    let keys = ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"];
    let named = keys
        .iter()
        .filter_map(|key| content.metadata.get(*key)?.to_u32().ok());
    let usual = [
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|end_of_text|>",
        "</s>",
    ];
    let mut stop: Vec<u32> = named
        .chain(
            usual
                .iter()
                .filter_map(|token| tokenizer.token_to_id(token)),
        )
        .collect();
    stop.sort_unstable();
    stop.dedup();
    stop
}

/// Text of a growing sequence of tokens; bytes of an unfinished character are held back.
pub struct Detokenizer<'a> {
    tokenizer: &'a ChatTokenizer,
    ids: Vec<u32>,
    given: usize,
}

impl Detokenizer<'_> {
    /// Takes a token and returns the text that became certain, perhaps empty.
    pub fn push(&mut self, token: u32) -> String {
        self.ids.push(token);
        let text = self.text();
        let new = text.get(self.given..).unwrap_or_default().to_owned();
        self.given = self.given.max(text.len());
        new
    }

    /// The whole text so far, without a last character that is cut in half.
    pub fn text(&self) -> String {
        let text = self
            .tokenizer
            .inner
            .decode(&self.ids, true)
            .unwrap_or_default();
        text.trim_end_matches('\u{fffd}').to_owned()
    }
}
