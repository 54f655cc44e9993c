//! Two tiny cross-encoders with random weights, a BERT and an XLM-RoBERTa, against logits by
//! Flax: `data/make_cross.py`, `data/make_xlmr.py`.

use fiel_embedding::{CrossEncoder, Error};
use serde_json::Value;

use crate::{changed, cpu, tiny};

struct Pair {
    question: String,
    passage: String,
    logit: f32,
}

fn pairs(json: &str) -> Vec<Pair> {
    let rows: Vec<Value> = serde_json::from_str(json).unwrap();
    assert_eq!(rows.len(), 20);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| Pair {
            question: text(&row["question"]),
            passage: text(&row["passage"]),
            logit: row["logit"].as_f64().unwrap() as f32,
        })
        .collect()
}

fn load(name: &str) -> CrossEncoder {
    let (device, class) = cpu();
    CrossEncoder::load(&tiny(name), &device, class).unwrap()
}

fn agrees(name: &str, json: &str) {
    let model = load(name);
    let pairs = pairs(json);
    for Pair { question, passage, logit } in &pairs {
        let alone = model.scores(question, &[passage]).unwrap()[0];
        assert!(
            (alone - logit).abs() <= 1e-4,
            "expected {logit}, got {alone} alone: {question} / {passage}"
        );
        // Batched with every other passage, so padded.
        let passages: Vec<&str> = pairs.iter().map(|pair| pair.passage.as_str()).collect();
        let index = passages.iter().position(|other| other == passage).unwrap();
        let padded = model.scores(question, &passages).unwrap()[index];
        assert!(
            (padded - logit).abs() <= 1e-4,
            "expected {logit}, got {padded} padded: {question} / {passage}"
        );
    }
    // The reference logits differ enough to detect a wrong order.
    let logits = pairs.iter().map(|pair| pair.logit);
    let (low, high) = (logits.clone().fold(f32::MAX, f32::min), logits.fold(f32::MIN, f32::max));
    assert!(high - low > 1.0, "{low} to {high}");
}

#[test]
fn a_bert_agrees_with_flax_alone_and_padded() {
    agrees("cross", include_str!("../data/cross_reference.json"));
}

#[test]
fn an_xlm_roberta_agrees_with_flax_alone_and_padded() {
    agrees("xlmr", include_str!("../data/xlmr_pairs_reference.json"));
}

#[test]
fn the_longer_text_of_a_pair_is_cut_first() {
    let model = load("cross");
    let long = "verbs ".repeat(500);
    let scores = |question| model.scores(question, &[&long, &format!("{long} and more")]).unwrap();
    let (one, other) = (scores("tea"), scores("eat"));
    assert!((one[0] - one[1]).abs() <= 1e-6);
    // The question is still read.
    assert!((one[0] - other[0]).abs() > 1e-3);
    assert!(model.scores("tea", &[]).unwrap().is_empty());
}

#[test]
fn equal_calls_give_equal_bits() {
    let model = load("cross");
    let passages = ["tea", "a cup of tea", "tea", "go, went, gone"];
    let first = model.scores("tea?", &passages).unwrap();
    assert_eq!(model.scores("tea?", &passages).unwrap(), first);
    assert_eq!(first[0], first[2]);
    assert_ne!(model.key(), load("xlmr").key());
}

fn rejection(files: &fiel_models::ModelFiles) -> String {
    let (device, class) = cpu();
    let error = CrossEncoder::load(files, &device, class).err().unwrap();
    assert!(matches!(error, Error::Model { .. }), "{error}");
    error.to_string()
}

#[test]
fn models_that_are_not_cross_encoders_are_rejected() {
    // A sentence encoder has no classifier.
    let message = rejection(&crate::files());
    assert!(
        message.contains("all-MiniLM-L6-v2") && message.contains("no classifier found"),
        "{message}"
    );

    let (_keep, three) = changed("cross", "model.safetensors", |bytes| outputs(bytes, 3));
    let message = rejection(&three);
    assert!(message.contains("3 outputs (num_labels)"), "{message}");

    let as_text = |change: fn(String) -> String| {
        move |bytes: Vec<u8>| change(String::from_utf8(bytes).unwrap()).into_bytes()
    };
    let electra =
        as_text(|text| text.replace("\"model_type\": \"bert\"", "\"model_type\": \"electra\""));
    let (_keep, electra) = changed("cross", "config.json", electra);
    let message = rejection(&electra);
    assert!(message.contains("`electra`") && message.contains("xlm-roberta"), "{message}");

    let short = as_text(|text| {
        text.replace("\"max_position_embeddings\": 64", "\"max_position_embeddings\": 3")
    });
    let (_keep, short) = changed("cross", "config.json", short);
    let message = rejection(&short);
    assert!(message.contains("3 pieces"), "{message}");

    let wide = as_text(|text| text.replace("\"hidden_size\": 32", "\"hidden_size\": 64"));
    let (_keep, wide) = changed("cross", "config.json", wide);
    assert!(rejection(&wide).contains("model.safetensors"));
}

/// The safetensors file with the classifier replaced by one of `outputs` outputs.
fn outputs(bytes: Vec<u8>, outputs: usize) -> Vec<u8> {
    let mut tensors =
        candle_core::safetensors::load_buffer(&bytes, &candle_core::Device::Cpu).unwrap();
    for (name, width) in [("classifier.weight", Some(32)), ("classifier.bias", None)] {
        let shape: Vec<usize> = [Some(outputs), width].into_iter().flatten().collect();
        let zeros =
            candle_core::Tensor::zeros(shape, candle_core::DType::F32, &candle_core::Device::Cpu);
        tensors.insert(name.to_owned(), zeros.unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    candle_core::safetensors::save(&tensors, &path).unwrap();
    std::fs::read(path).unwrap()
}
