//! A tiny XLM-RoBERTa with random weights and a Unigram tokenizer against vectors by Flax
//! (`data/make_xlmr.py`), and the settings in a model's files.

use fiel_embedding::{Embedder, Error};
use fiel_models::ModelFiles;
use serde_json::Value;

use crate::{changed, cpu, distance, load, tiny};

const POOLING: &str = "1_Pooling/config.json";
const LENGTH: &str = "sentence_bert_config.json";

fn cls() -> (tempfile::TempDir, ModelFiles) {
    changed("xlmr", POOLING, |_| {
        b"{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": false}".into()
    })
}

#[test]
fn an_xlm_roberta_agrees_with_flax_alone_and_padded() {
    let rows: Vec<Value> =
        serde_json::from_str(include_str!("../data/xlmr_reference.json")).unwrap();
    let (_keep, cls) = cls();
    for (pooling, embedder) in [("mean_tokens", load(&tiny("xlmr"))), ("cls_token", load(&cls))] {
        let rows: Vec<&Value> = rows.iter().filter(|row| row["pooling"] == pooling).collect();
        assert_eq!(rows.len(), 10);
        let texts: Vec<&str> = rows.iter().map(|row| row["text"].as_str().unwrap()).collect();
        let padded = embedder.embed(&texts, &mut |_| {}).unwrap();
        for (i, row) in rows.iter().enumerate() {
            let expected: Vec<f32> = serde_json::from_value(row["embedding"].clone()).unwrap();
            let alone = embedder.embed(&[texts[i]], &mut |_| {}).unwrap();
            for vector in [padded.row(i), alone.row(0)] {
                let distance = distance(vector, &expected);
                assert!(distance <= 1e-4, "{distance} by {pooling} for {:?}", texts[i]);
            }
            // The reference counts the two markers.
            let pieces = embedder.tokens(texts[i]).unwrap().vectors().len() + 2;
            assert_eq!(pieces as u64, row["pieces"].as_u64().unwrap(), "{:?}", texts[i]);
        }
    }
}

#[test]
fn the_maximum_length_is_from_the_files_and_at_most_the_positions() {
    let long = "tea ".repeat(300);
    // The maximum length includes the two markers.
    let max_length = |embedder: &Embedder| embedder.tokens(&long).unwrap().vectors().len() + 2;
    assert_eq!(max_length(&load(&tiny("xlmr"))), 24);
    let with = |length: &'static str| {
        let (_keep, files) = changed("xlmr", LENGTH, move |_| length.into());
        max_length(&load(&files))
    };
    // 66 positions, of which the first two are not used.
    assert_eq!(with("{\"max_seq_length\": 500}"), 64);
    assert_eq!(with("{\"max_seq_length\": null}"), 64);
    assert_eq!(with("{\"max_seq_length\": 10}"), 10);
    assert_eq!(max_length(&load(&tiny("cross"))), 64);
    assert_eq!(max_length(crate::embedder()), 256);
}

#[test]
fn the_key_changes_with_pooling_and_length_and_model() {
    let (_cls, cls) = cls();
    let (_ten, ten) = changed("xlmr", LENGTH, |_| b"{\"max_seq_length\": 10}".into());
    let mut keys: Vec<String> = [tiny("xlmr"), cls, ten, tiny("cross")]
        .iter()
        .map(|files| load(files).key().to_owned())
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 4);
}

#[test]
fn unsupported_settings_are_rejected_by_name() {
    let rejection = |name: &str, text: &'static str| {
        let (_keep, files) = changed("xlmr", name, move |_| text.into());
        let (device, class) = cpu();
        let error = Embedder::load(&files, &device, class).err().unwrap();
        assert!(matches!(error, Error::Model { .. }), "{error}");
        error.to_string()
    };
    for (name, text, words) in [
        (POOLING, "{\"pooling_mode_max_tokens\": true}", "max_tokens"),
        (
            POOLING,
            "{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": true}",
            "cls_token, mean_tokens",
        ),
        (POOLING, "{", "1_Pooling/config.json"),
        (LENGTH, "{\"do_lower_case\": true}", "do_lower_case"),
        (LENGTH, "{\"max_seq_length\": 2}", "2 pieces"),
        (
            "modules.json",
            "[{\"type\": \"sentence_transformers.models.Pooling\"}, \
             {\"type\": \"sentence_transformers.models.Dense\"}]",
            "models.Dense",
        ),
        ("config.json", "{\"model_type\": \"distilbert\"}", "distilbert"),
        ("config.json", "{\"model_type\": \"bert\"}", "missing field"),
    ] {
        let message = rejection(name, text);
        assert!(message.contains(words), "{message}");
    }
}
