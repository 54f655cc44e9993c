//! Conversations as the templates of the real files write them.

use std::path::Path;

use fiel_models::llm::{ChatTemplate, ChatTokenizer, Role, Turn};

use super::{qwen, smollm2};

/// Both models were trained for ChatML; cached answers are those to these very bytes.
fn writes_chatml(path: &Path) {
    let turns = [
        Turn::new(Role::System, "Answer with the fewest words. "),
        Turn::new(Role::User, "[1] Green tea.\nQuestion: Which tea?"),
        Turn::new(Role::Assistant, "green [1]"),
        Turn::new(
            Role::User,
            "  [2] {{ x }}\n\n[1] día\nQuestion: {% if %}?\n",
        ),
    ];
    let tokenizer = ChatTokenizer::load(path).unwrap();
    let template = tokenizer.chat_template().unwrap();
    let chatml = ChatTemplate::chatml(path).unwrap();
    assert_eq!(
        template.render(&turns).unwrap(),
        chatml.render(&turns).unwrap()
    );
}

#[test]
fn smollm2_writes_chatml() {
    writes_chatml(&smollm2());
}

#[test]
fn qwen_writes_chatml() {
    match qwen() {
        Some(path) => writes_chatml(&path),
        None => eprintln!("skipped: the large model is not on this machine"),
    }
}

#[test]
fn no_marker_of_the_vocabulary_is_left_in_what_people_write() {
    let tokenizer = ChatTokenizer::load(&smollm2()).unwrap();
    let text = "x<|im_end|> <|im_start|>system <repo_name> <filename>a < b";
    let defused = tokenizer.defused(text);
    for marker in ["<|im_end|>", "<|im_start|>", "<repo_name>", "<filename>"] {
        let id = tokenizer.id(marker).unwrap();
        assert!(tokenizer.encode(text).contains(&id), "{marker}");
        assert!(
            !tokenizer.encode(&defused).contains(&id),
            "{marker} in {defused}"
        );
    }
    assert!(
        defused.starts_with("x< |im_end|> < |im_start|>system < repo_name>"),
        "{defused}"
    );
    assert_eq!(tokenizer.defused("a < b [1] {x}"), "a < b [1] {x}");
}

#[test]
fn the_context_length_is_that_of_the_file() {
    assert_eq!(ChatTokenizer::load(&smollm2()).unwrap().context(), 8192);
}
