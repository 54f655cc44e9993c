//! The decoder with the weights of SmolLM2.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use candle_core::Device;
use fiel_models::llm::{BLOCK, ChatTokenizer, Decoder, Family};

use super::{
    argmax,
    candle::{Sample, reference},
    cosine, smollm2,
};

/// The capacity for the longest test.
const POSITIONS: usize = 192;

/// The decoder of all tests, empty at the start of each.
fn decoder() -> MutexGuard<'static, Decoder> {
    static DECODER: OnceLock<Mutex<Decoder>> = OnceLock::new();
    let load = || Mutex::new(Decoder::load(&smollm2(), &Device::Cpu, POSITIONS).unwrap());
    let decoder = DECODER.get_or_init(load).lock();
    // A failed test leaves only positions behind, which `truncate` removes.
    let mut decoder = decoder.unwrap_or_else(PoisonError::into_inner);
    decoder.truncate(0);
    decoder
}

fn tokens(text: &str) -> Vec<u32> {
    static TOKENIZER: OnceLock<ChatTokenizer> = OnceLock::new();
    let tokenizer = TOKENIZER.get_or_init(|| ChatTokenizer::load(&smollm2()).unwrap());
    tokenizer.encode(text)
}

fn question(text: &str) -> Vec<u32> {
    tokens(&format!("<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"))
}

/// A prompt longer than one block.
fn long_prompt() -> Vec<u32> {
    let lines: Vec<String> = (0..20).map(|n| format!("Line {n} is about a verb.")).collect();
    let mut tokens = tokens(&lines.join("\n"));
    assert!(tokens.len() > BLOCK + 20, "{}", tokens.len());
    tokens.truncate(BLOCK + 20);
    tokens
}

/// The bits of the logits of a prompt and of greedy steps after it.
fn greedy(decoder: &mut Decoder, prompt: &[u32], steps: usize) -> Vec<Vec<u32>> {
    let mut logits = decoder.forward(prompt).unwrap();
    let mut out = Vec::new();
    for _ in 0..steps {
        out.push(logits.iter().map(|x| x.to_bits()).collect());
        logits = decoder.forward(&[argmax(&logits) as u32]).unwrap();
    }
    out
}

#[test]
fn the_shape_is_read_from_the_file() {
    let decoder = decoder();
    let config = decoder.config();
    assert_eq!(config.family, Family::Llama);
    assert_eq!((config.layers, config.hidden), (30, 576));
    assert_eq!((config.heads, config.kv_heads, config.head_dim), (9, 3, 64));
    assert_eq!(decoder.capacity(), POSITIONS);
    assert!(decoder.is_empty());
    // 30 layers have 7 matrices each; the embedding has another type.
    let repacked: usize = decoder.repacked().values().sum();
    assert!(repacked >= 100, "{:?}", decoder.repacked());
    assert!(decoder.repacked().keys().all(|kind| kind.ends_with("to Q8_0")));
}

/// The logits at the ids of a sample.
fn at_sample(logits: &[f32]) -> Vec<f32> {
    logits.iter().copied().step_by(256).collect()
}

/// Thirty layers round their inputs to 8 bits, so another order of sums changes the logits a
/// little (a cosine of 0.9997 occurs). `toy` requires more of two layers.
#[test]
fn logits_agree_with_candle_on_the_same_weights() {
    let mut ours = decoder();
    let mut equal = 0;
    for steps in &reference().smollm2_in_q8_0 {
        ours.truncate(0);
        for (step, Sample { tokens, every_256th, top }) in steps.iter().enumerate() {
            let logits = ours.forward(tokens).unwrap();
            let cosine = cosine(&at_sample(&logits), every_256th);
            assert!(cosine > 0.999, "{cosine} at step {step} after {tokens:?}");
            let (next, (best, best_logit)) = (argmax(&logits), top[0]);
            // Another token is right only if the two are nearly tied.
            let expected = top.iter().find(|(id, _)| *id == next);
            let behind = expected.map_or(f32::INFINITY, |(_, logit)| best_logit - logit);
            assert!(behind < 0.5, "{behind} at step {step} after {tokens:?}");
            equal += usize::from(next == best);
        }
    }
    assert!(equal >= 7, "expected at least 7 of 9 tokens equal, got {equal}");
}

/// Q8_0 represents a Q4_1 weight almost exactly, but the kernels round inputs differently.
#[test]
fn requantizing_changes_logits_little() {
    let mut ours = decoder();
    let Sample { tokens, every_256th, top } = &reference().smollm2;
    assert_eq!(*tokens, question("What is the capital of France?"));
    let logits = ours.forward(tokens).unwrap();
    let cosine = cosine(&at_sample(&logits), every_256th);
    assert!(cosine > 0.99, "{cosine}");
    assert_eq!(argmax(&logits), top[0].0);
}

#[test]
fn a_second_question_is_answered_as_if_it_were_alone() {
    let mut decoder = decoder();
    let (first, second) = (question("What is a verb?"), question("Name two colours."));
    let alone = greedy(&mut decoder, &second, 4);
    decoder.truncate(0);
    let other = greedy(&mut decoder, &first, 8);
    assert_ne!(alone[0], other[0]);
    decoder.truncate(0);
    assert_eq!(greedy(&mut decoder, &second, 4), alone);
}

#[test]
fn continuing_from_a_block_boundary_equals_reading_all() {
    let mut decoder = decoder();
    let prompt = long_prompt();
    let whole = greedy(&mut decoder, &prompt, 2);
    decoder.truncate(BLOCK);
    assert_eq!(decoder.len(), BLOCK);
    assert_eq!(greedy(&mut decoder, &prompt[BLOCK..], 2), whole);
}

#[test]
fn more_than_the_capacity_is_an_error() {
    let mut decoder = decoder();
    let message = decoder.forward(&[1; POSITIONS + 1]).unwrap_err().to_string();
    assert!(message.contains("do not fit the 192 positions"), "{message}");
    assert!(decoder.forward(&[]).is_err());
    // An id outside the vocabulary.
    assert!(decoder.forward(&[u32::MAX]).is_err());
    // The decoder still works.
    decoder.truncate(0);
    let first = greedy(&mut decoder, &question("Name two colours."), 1);
    decoder.truncate(0);
    assert_eq!(greedy(&mut decoder, &question("Name two colours."), 1), first);
}
