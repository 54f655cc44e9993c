//! Tokens against `data/gguf_token_ids.json`: ids by the models' original tokenizers.

use std::path::Path;

use fiel_models::llm::ChatTokenizer;
use serde_json::Value;

use super::{QWEN, SMOLLM2, qwen, smollm2};

fn check(model: &str, path: &Path) {
    let json: Value = serde_json::from_str(include_str!("../../data/gguf_token_ids.json")).unwrap();
    let tokenizer = ChatTokenizer::load(path).unwrap();
    let rows = json[model].as_array().unwrap();
    assert!(rows.len() >= 10);
    for row in rows {
        let text = row["text"].as_str().unwrap();
        let ids: Vec<u32> = serde_json::from_value(row["ids"].clone()).unwrap();
        assert_eq!(tokenizer.encode(text), ids, "{model}: {text:?}");
        assert_eq!(tokenizer.count(text), ids.len());
    }
}

#[test]
fn smollm2_has_the_known_token_ids() {
    check(SMOLLM2, &smollm2());
}

#[test]
fn qwen_has_the_known_token_ids() {
    match qwen() {
        Some(path) => check(QWEN, &path),
        None => eprintln!("skipped: {QWEN} is not on this machine"),
    }
}

#[test]
fn only_end_tokens_are_stop_tokens() {
    let tokenizer = ChatTokenizer::load(&smollm2()).unwrap();
    for token in ["<|im_end|>", "<|endoftext|>"] {
        let id = tokenizer.id(token).unwrap();
        assert_eq!(tokenizer.encode(token), [id]);
        assert!(tokenizer.is_stop(id), "{token}");
    }
    assert!(!tokenizer.is_stop(tokenizer.id("<|im_start|>").unwrap()));
    for id in tokenizer.encode("The past of eat is ate. <im_end> end of text\n") {
        assert!(!tokenizer.is_stop(id), "{id}");
    }
}

#[test]
fn streamed_text_has_no_incomplete_characters() {
    let tokenizer = ChatTokenizer::load(&smollm2()).unwrap();
    for text in ["🦀 piñata, café.", "天气很好", "don't I'll", "  two  spaces\n\nnew"] {
        let mut detokenizer = tokenizer.detokenizer();
        let mut streamed = String::new();
        for id in tokenizer.encode(text) {
            let piece = detokenizer.push(id);
            assert!(!piece.contains('\u{fffd}'), "{piece:?} of {text:?}");
            streamed.push_str(&piece);
        }
        assert_eq!(streamed, text);
        assert_eq!(detokenizer.text(), text);
    }
    // Special tokens are not text.
    let mut detokenizer = tokenizer.detokenizer();
    tokenizer.encode("ate<|im_end|>").into_iter().for_each(|id| {
        detokenizer.push(id);
    });
    assert_eq!(detokenizer.text(), "ate");
}

#[test]
fn an_incomplete_character_is_withheld() {
    let tokenizer = ChatTokenizer::load(&smollm2()).unwrap();
    let ids = tokenizer.encode("ate 🦀");
    let mut detokenizer = tokenizer.detokenizer();
    ids[..ids.len() - 1].iter().for_each(|&id| {
        detokenizer.push(id);
    });
    assert_eq!(detokenizer.text().trim_end(), "ate");
}
