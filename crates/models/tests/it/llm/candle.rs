//! Logits of Candle's own models, recorded in `data/candle_reference.json`.
//!
//! candle-transformers 0.11.1 made them on a CPU: `quantized_llama`, `quantized_qwen2` and
//! `quantized_qwen3` read the files that `toy` writes, and `quantized_llama` read SmolLM2, once as
//! it is (`smollm2`) and once with every Q4_1 tensor in Q8_0, as the decoder converts it
//! (`smollm2_in_q8_0`). A record keeps the tests free of a crate that takes minutes to build.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Reference {
    /// By family.
    pub(super) toy: BTreeMap<String, Vec<Step>>,
    /// Three steps per prompt.
    pub(super) smollm2_in_q8_0: Vec<Vec<Sample>>,
    pub(super) smollm2: Sample,
}

/// The tokens of a step and the logits after them.
#[derive(Deserialize)]
pub(super) struct Step {
    pub(super) tokens: Vec<u32>,
    pub(super) logits: Vec<f32>,
}

/// The tokens of a step and some of the logits after them.
#[derive(Deserialize)]
pub(super) struct Sample {
    pub(super) tokens: Vec<u32>,
    /// The logits of the ids 0, 256, 512 and so on.
    pub(super) every_256th: Vec<f32>,
    /// The eight largest logits with their ids, best first.
    pub(super) top: Vec<(usize, f32)>,
}

pub(super) fn reference() -> &'static Reference {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        serde_json::from_str(include_str!("../../data/candle_reference.json")).unwrap()
    })
}
