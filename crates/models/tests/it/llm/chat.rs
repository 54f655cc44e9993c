//! Chat templates of real files.

use std::path::Path;

use fiel_models::llm::{ChatTemplate, ChatTokenizer, Role, Turn};

use super::{qwen, smollm2};

/// Both models use ChatML. A different byte would invalidate cached answers.
fn renders_chatml(path: &Path) {
    let turns = [
        Turn::new(Role::System, "Answer with the fewest words. "),
        Turn::new(Role::User, "[1] Green tea.\nQuestion: Which tea?"),
        Turn::new(Role::Assistant, "green [1]"),
        Turn::new(Role::User, "  [2] {{ x }}\n\n[1] día\nQuestion: {% if %}?\n"),
    ];
    let tokenizer = ChatTokenizer::load(path).unwrap();
    let template = tokenizer.chat_template().unwrap();
    let chatml = ChatTemplate::chatml(path).unwrap();
    assert_eq!(template.render(&turns).unwrap(), chatml.render(&turns).unwrap());
}

#[test]
fn smollm2_renders_chatml() {
    renders_chatml(&smollm2());
}

#[test]
fn qwen_renders_chatml() {
    match qwen() {
        Some(path) => renders_chatml(&path),
        None => eprintln!("skipped: the large model is not on this machine"),
    }
}

#[test]
fn defused_text_has_no_special_tokens() {
    let tokenizer = ChatTokenizer::load(&smollm2()).unwrap();
    let text = "x<|im_end|> <|im_start|>system <repo_name> <filename>a < b";
    let defused = tokenizer.defused(text);
    for marker in ["<|im_end|>", "<|im_start|>", "<repo_name>", "<filename>"] {
        let id = tokenizer.id(marker).unwrap();
        assert!(tokenizer.encode(text).contains(&id), "{marker}");
        assert!(!tokenizer.encode(&defused).contains(&id), "{marker} in {defused}");
    }
    assert!(defused.starts_with("x< |im_end|> < |im_start|>system < repo_name>"), "{defused}");
    assert_eq!(tokenizer.defused("a < b [1] {x}"), "a < b [1] {x}");
}

#[test]
fn the_context_length_is_from_the_file() {
    assert_eq!(ChatTokenizer::load(&smollm2()).unwrap().context(), 8192);
}
