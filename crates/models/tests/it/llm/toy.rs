//! Tiny random models of each family, written by the tests, with weights that need no conversion.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use candle_core::{
    Device, Tensor,
    quantized::{
        GgmlDType, QTensor,
        gguf_file::{self, Value},
    },
};
use fiel_models::llm::{BLOCK, ChatTokenizer, Decoder, Family};
use tempfile::TempDir;

use super::{argmax, candle::reference, cosine};

const VOCABULARY: usize = 96;
const HIDDEN: usize = 64;
const FEED_FORWARD: usize = 128;
const HEADS: usize = 4;
const KV_HEADS: usize = 2;
const LAYERS: usize = 2;
const CONTEXT: usize = 4 * BLOCK;

/// Numbers in [-1, 1) from a linear congruential generator (Knuth, MMIX).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / (1u64 << 23) as f32 - 1.0
    }
}

/// Writes a model of a family with random weights in Q8_0 and norms around 1.
fn write(dir: &TempDir, family: &str, head_dim: usize) -> PathBuf {
    let mut random = Random(7);
    let mut tensors: Vec<(String, QTensor)> = Vec::new();
    let mut add = |name: String, shape: &[usize], base: f32, scale: f32, dtype| {
        let count = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|_| base + scale * random.next()).collect();
        let tensor = Tensor::from_vec(data, shape, &Device::Cpu).unwrap();
        tensors.push((name, QTensor::quantize(&tensor, dtype).unwrap()));
    };
    let (q8, single) = (GgmlDType::Q8_0, GgmlDType::F32);
    add("token_embd.weight".into(), &[VOCABULARY, HIDDEN], 0.0, 1.0, q8);
    add("output_norm.weight".into(), &[HIDDEN], 1.0, 0.2, single);
    add("output.weight".into(), &[VOCABULARY, HIDDEN], 0.0, 0.3, q8);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("blk.{layer}.{part}");
        let (wide, narrow) = (HEADS * head_dim, KV_HEADS * head_dim);
        for (part, rows, columns) in [
            ("attn_q", wide, HIDDEN),
            ("attn_k", narrow, HIDDEN),
            ("attn_v", narrow, HIDDEN),
            ("attn_output", HIDDEN, wide),
            ("ffn_gate", FEED_FORWARD, HIDDEN),
            ("ffn_up", FEED_FORWARD, HIDDEN),
            ("ffn_down", HIDDEN, FEED_FORWARD),
        ] {
            add(name(&format!("{part}.weight")), &[rows, columns], 0.0, 0.3, q8);
        }
        for (part, width) in [("attn_norm", HIDDEN), ("ffn_norm", HIDDEN)] {
            add(name(&format!("{part}.weight")), &[width], 1.0, 0.2, single);
        }
        if family == "qwen2" {
            for (part, width) in [("attn_q", wide), ("attn_k", narrow), ("attn_v", narrow)] {
                add(name(&format!("{part}.bias")), &[width], 0.0, 0.5, single);
            }
        } else if family == "qwen3" {
            for part in ["attn_q_norm", "attn_k_norm"] {
                add(name(&format!("{part}.weight")), &[head_dim], 1.0, 0.2, single);
            }
        }
    }
    let number = |n: usize| Value::U32(n as u32);
    let metadata = [
        ("general.architecture".to_owned(), Value::String(family.to_owned())),
        // Without it, Candle's Qwen 3, which made the reference, computes in half precision.
        ("general.dtype".to_owned(), Value::U32(0)),
        (format!("{family}.attention.head_count"), number(HEADS)),
        (format!("{family}.attention.head_count_kv"), number(KV_HEADS)),
        (format!("{family}.attention.key_length"), number(head_dim)),
        (format!("{family}.rope.dimension_count"), number(head_dim)),
        (format!("{family}.block_count"), number(LAYERS)),
        (format!("{family}.embedding_length"), number(HIDDEN)),
        (format!("{family}.context_length"), number(CONTEXT)),
        (format!("{family}.attention.layer_norm_rms_epsilon"), Value::F32(1e-6)),
        (format!("{family}.rope.freq_base"), Value::F32(10_000.0)),
    ];
    let path = dir.path().join(format!("{family}.gguf"));
    let metadata: Vec<(&str, &Value)> = metadata.iter().map(|(k, v)| (k.as_str(), v)).collect();
    let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(k, v)| (k.as_str(), v)).collect();
    gguf_file::write(&mut File::create(&path).unwrap(), &metadata, &tensors).unwrap();
    path
}

/// Compares the logits after a prompt, after two tokens at once, and after two single tokens.
fn compare_with_candle(path: &Path, family: &str) {
    let mut ours = Decoder::load(path, &Device::Cpu, CONTEXT).unwrap();
    let steps = &reference().toy[family];
    assert_eq!(steps.len(), 4);
    let mut position = 0;
    for step in steps {
        let logits = ours.forward(&step.tokens).unwrap();
        position += step.tokens.len();
        assert_eq!(logits.len(), VOCABULARY);
        let cosine = cosine(&logits, &step.logits);
        assert!(cosine > 0.9999, "{cosine} after {position} tokens");
        assert_eq!(argmax(&logits), argmax(&step.logits), "after {position} tokens");
    }
    assert_eq!(ours.len(), position);
}

#[test]
fn llama_agrees_with_candle() {
    let dir = tempfile::tempdir().unwrap();
    compare_with_candle(&write(&dir, "llama", HIDDEN / HEADS), "llama");
}

#[test]
fn qwen2_agrees_with_candle() {
    let dir = tempfile::tempdir().unwrap();
    compare_with_candle(&write(&dir, "qwen2", HIDDEN / HEADS), "qwen2");
}

#[test]
fn qwen3_agrees_with_candle() {
    let dir = tempfile::tempdir().unwrap();
    // Heads are wider than their share of the hidden width, as in the small Qwen 3 models.
    let path = write(&dir, "qwen3", 32);
    compare_with_candle(&path, "qwen3");
    let decoder = Decoder::load(&path, &Device::Cpu, 4096).unwrap();
    assert_eq!(decoder.config().family, Family::Qwen3);
    // The model has fewer positions than requested.
    assert_eq!(decoder.capacity(), CONTEXT);
}

/// Continuing a prompt at any block boundary gives the same bits as reading it at once.
#[test]
fn every_block_boundary_gives_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    let id = |x: f32| ((x + 1.0) / 2.0 * VOCABULARY as f32) as u32 % VOCABULARY as u32;
    let prompt: Vec<u32> = (0..3 * BLOCK + 9).map(|_| id(random.next())).collect();
    for (family, head_dim) in [("llama", 16), ("qwen2", 16), ("qwen3", 32)] {
        let path = write(&dir, family, head_dim);
        let mut decoder = Decoder::load(&path, &Device::Cpu, CONTEXT).unwrap();
        let bits = |logits: Vec<f32>| -> Vec<u32> { logits.iter().map(|x| x.to_bits()).collect() };
        let whole = bits(decoder.forward(&prompt).unwrap());
        for blocks in [3, 2, 1, 0] {
            // Positions of another prompt after the boundary have no effect.
            decoder.forward(&[1, 2, 3]).unwrap();
            decoder.truncate(blocks * BLOCK);
            let continued = decoder.forward(&prompt[blocks * BLOCK..]).unwrap();
            assert_eq!(bits(continued), whole, "{family}, {blocks} blocks kept");
        }
        decoder.truncate(0);
        for block in prompt[..3 * BLOCK].chunks(BLOCK) {
            decoder.forward(block).unwrap();
        }
        let in_blocks = decoder.forward(&prompt[3 * BLOCK..]).unwrap();
        assert_eq!(bits(in_blocks), whole, "{family}, block by block");
    }
}

#[test]
fn an_unknown_family_is_rejected_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(&dir, "gemma3", 16);
    let message = Decoder::load(&path, &Device::Cpu, 64).err().unwrap().to_string();
    for part in ["gemma3.gguf", "unsupported family `gemma3`", "llama, qwen2 or qwen3"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn errors_for_an_invalid_file_name_its_path() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("notes.gguf");
    std::fs::write(&text, "not a model").unwrap();
    let whole = write(&dir, "qwen2", 16);
    let cut = dir.path().join("cut.gguf");
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    for path in [&text, &cut, &dir.path().join("none.gguf")] {
        let message = Decoder::load(path, &Device::Cpu, 64).err().unwrap().to_string();
        assert!(message.contains(path.to_str().unwrap()), "{message}");
    }
    // The model has no vocabulary.
    let message = ChatTokenizer::load(&whole).err().unwrap().to_string();
    assert!(message.contains("qwen2.gguf"), "{message}");
}
