//! The tokenizer of a language model, from its GGUF file.

use std::{collections::BTreeSet, path::Path};

use candle_core::quantized::{
    gguf_file::{Content, Value},
    tokenizer::TokenizerFromGguf,
};
use tokenizers::{
    PreTokenizerWrapper, Tokenizer,
    pre_tokenizers::{byte_level::ByteLevel, digits::Digits, sequence::Sequence},
};

use super::{
    chat::ChatTemplate,
    config::{DecoderConfig, open_gguf},
};
use crate::{Error, Result};

/// The tokenizer of a language model with its stop tokens and chat template.
pub struct ChatTokenizer {
    inner: Tokenizer,
    stop: BTreeSet<u32>,
    context: usize,
    /// Texts of the special tokens, such as those that mark the turns of a conversation.
    markers: Vec<String>,
    template: Option<ChatTemplate>,
}

impl ChatTokenizer {
    /// Reads the tokenizer of a GGUF file.
    ///
    /// # Errors
    /// [`Error::Load`] if the file is not GGUF, its family is unknown, its
    /// vocabulary is not of the GPT-2 type, or its chat template is not valid.
    pub fn load(path: &Path) -> Result<Self> {
        let (content, _) = open_gguf(path)?;
        let mut inner = Tokenizer::from_gguf(&content)
            .map_err(|e| Error::load(path, format!("tokenizer: {e}")))?;
        let text = |key: &str| content.metadata.get(key).and_then(|v| v.to_string().ok());
        if text("tokenizer.ggml.pre").is_some_and(|pre| pre == "smollm") {
            // SmolLM splits digits one by one, which Candle's reader ignores.
            let steps: Vec<PreTokenizerWrapper> =
                vec![Digits::new(true).into(), ByteLevel::new(false, true, true).into()];
            inner.with_pre_tokenizer(Some(Sequence::new(steps)));
        }
        // llama.cpp does not normalise text.
        inner
            .with_normalizer(None::<tokenizers::NormalizerWrapper>)
            .map_err(|e| Error::load(path, format!("tokenizer: {e}")))?;
        Ok(Self {
            stop: stop_tokens(&content, &inner),
            context: DecoderConfig::from_gguf(&content, path)?.context,
            markers: markers(&content),
            template: template(&content, &inner, path)?,
            inner,
        })
    }

    /// Number of positions that the model was trained with.
    pub fn context(&self) -> usize {
        self.context
    }

    /// The chat template of the file, or ChatML if the vocabulary has its markers. `None` if the
    /// model is not a chat model.
    pub fn chat_template(&self) -> Option<&ChatTemplate> {
        self.template.as_ref()
    }

    /// Breaks up the special tokens in a text of a user or a document: inserts a space after the
    /// first character of each, and into every `<|`.
    pub fn defused(&self, text: &str) -> String {
        let mut out = text.replace("<|", "< |");
        for marker in &self.markers {
            if out.contains(marker.as_str()) {
                let first = marker.chars().next().map_or(0, char::len_utf8);
                let (head, tail) = marker.split_at(first);
                out = out.replace(marker.as_str(), &format!("{head} {tail}"));
            }
        }
        out
    }

    /// Token ids of a text. Special tokens in the text are recognised; none are added.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        // A byte-level vocabulary has a token for every byte, so encoding cannot fail.
        self.inner.encode_fast(text, false).map(|e| e.get_ids().to_vec()).unwrap_or_default()
    }

    /// Number of tokens in a text.
    pub fn count(&self, text: &str) -> usize {
        self.encode(text).len()
    }

    /// Whether a token ends an answer.
    pub fn is_stop(&self, token: u32) -> bool {
        self.stop.contains(&token)
    }

    /// The id of the token with exactly this text.
    pub fn id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    /// Returns a decoder for a stream of tokens.
    pub fn detokenizer(&self) -> Detokenizer<'_> {
        Detokenizer { tokenizer: self, ids: Vec::new(), returned: 0 }
    }
}

/// Texts of the special tokens: types "control" (3) and "user defined" (4) in brackets.
fn markers(content: &Content) -> Vec<String> {
    let list = |key: &str| content.metadata.get(key).and_then(|v| v.to_vec().ok());
    let (Some(tokens), Some(kinds)) =
        (list("tokenizer.ggml.tokens"), list("tokenizer.ggml.token_type"))
    else {
        return Vec::new();
    };
    let is_marker = |kind: &Value| kind.to_i32().is_ok_and(|kind| matches!(kind, 3 | 4));
    tokens
        .iter()
        .zip(kinds)
        .filter(|(_, kind)| is_marker(kind))
        .filter_map(|(token, _)| token.to_string().ok())
        .filter(|token| token.len() > 2 && token.starts_with(['<', '[']))
        .cloned()
        .collect()
}

fn template(content: &Content, tokenizer: &Tokenizer, path: &Path) -> Result<Option<ChatTemplate>> {
    let text = |key: &str| content.metadata.get(key).and_then(|v| v.to_string().ok());
    let token = |key: &str| {
        let id = content.metadata.get(key).and_then(|v| v.to_u32().ok());
        id.and_then(|id| tokenizer.id_to_token(id)).unwrap_or_default()
    };
    if let Some(source) = text("tokenizer.chat_template") {
        let (bos, eos) = ("tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id");
        return ChatTemplate::new(source, path, &token(bos), &token(eos)).map(Some);
    }
    let has = |marker: &str| tokenizer.token_to_id(marker).is_some();
    if has("<|im_start|>") && has("<|im_end|>") {
        ChatTemplate::chatml(path).map(Some)
    } else {
        Ok(None)
    }
}

fn stop_tokens(content: &Content, tokenizer: &Tokenizer) -> BTreeSet<u32> {
    let keys = ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"];
    let named = keys.iter().filter_map(|key| content.metadata.get(*key)?.to_u32().ok());
    let common = [
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|end_of_text|>",
        "<|end|>",
        "</s>",
    ];
    named.chain(common.iter().filter_map(|token| tokenizer.token_to_id(token))).collect()
}

/// Decodes a stream of tokens. Withholds the bytes of an incomplete character.
pub struct Detokenizer<'a> {
    tokenizer: &'a ChatTokenizer,
    ids: Vec<u32>,
    /// Number of bytes of the text that were returned.
    returned: usize,
}

impl Detokenizer<'_> {
    /// Adds a token. Returns the new text, which can be empty.
    pub fn push(&mut self, token: u32) -> String {
        self.ids.push(token);
        let text = self.text();
        let new = text.get(self.returned..).unwrap_or_default().to_owned();
        self.returned = self.returned.max(text.len());
        new
    }

    /// The text so far, without an incomplete last character.
    pub fn text(&self) -> String {
        let text = self.tokenizer.inner.decode(&self.ids, true).unwrap_or_default();
        text.trim_end_matches('\u{fffd}').to_owned()
    }
}
