use std::{fs::File, io::BufReader, path::Path};

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
    config::{DecoderConfig, load},
};
use crate::Result;

/// The tokenizer of a chat model, read from its GGUF file, and the tokens that end its turn.
pub struct ChatTokenizer {
    inner: Tokenizer,
    stop: Vec<u32>,
    context: usize,
    /// Texts of the tokens that mark the turns of a conversation and the like.
    markers: Vec<String>,
    template: Option<ChatTemplate>,
}

impl ChatTokenizer {
    /// # Errors
    /// When the file is not GGUF, its family is unknown, its vocabulary is not of the GPT-2 kind, or
    /// its chat template is none.
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
        let markers = markers(&content);
        let template = template(&content, &inner, path)?;
        Ok(Self {
            inner,
            stop,
            context,
            markers,
            template,
        })
    }

    /// Positions that the model was trained for.
    pub fn context(&self) -> usize {
        self.context
    }

    /// How a conversation is written for this model: by the template of its file, else as ChatML
    /// where it has the markers for it. `None`: it is no chat model.
    pub fn chat_template(&self) -> Option<&ChatTemplate> {
        self.template.as_ref()
    }

    /// A text of a user or a document without any marker of the vocabulary: a space is put after
    /// the first character of each, and into every `<|`.
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

/// Tokens of the kinds "control" (3) and "user defined" (4) that look like markers.
fn markers(content: &Content) -> Vec<String> {
    let list = |key: &str| content.metadata.get(key).and_then(|v| v.to_vec().ok());
    let (Some(tokens), Some(kinds)) = (
        list("tokenizer.ggml.tokens"),
        list("tokenizer.ggml.token_type"),
    ) else {
        return Vec::new();
    };
    let is_marker = |kind: &Value| kind.to_i32().is_ok_and(|kind| matches!(kind, 3 | 4));
    let pairs = tokens.iter().zip(kinds);
    pairs
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
        id.and_then(|id| tokenizer.id_to_token(id))
            .unwrap_or_default()
    };
    if let Some(source) = text("tokenizer.chat_template") {
        let (bos, eos) = ("tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id");
        return ChatTemplate::new(source, path, &token(bos), &token(eos)).map(Some);
    }
    let has = |marker: &str| tokenizer.token_to_id(marker).is_some();
    match has("<|im_start|>") && has("<|im_end|>") {
        true => ChatTemplate::chatml(path).map(Some),
        false => Ok(None),
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
        "<|eom_id|>",
        "<|end_of_text|>",
        "<|end|>",
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
